from catan_env.training.imitation.clone import main

if __name__ == "__main__":
    main()
