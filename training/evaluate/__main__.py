from catan_env.training.evaluate.command import main

if __name__ == "__main__":
    main()
