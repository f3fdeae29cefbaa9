from catan_env.training.expert_iteration.iterate import main

if __name__ == "__main__":
    main()
