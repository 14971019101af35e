"""Models of the fleet: profiles (what a node serves) and recipes (how its model is built).

    profiles.load(name) -> Profile
    recipes.build(profile_name, cache_dir, progress) -> the folder that vLLM serves
    recipes.license_text(profile_name) -> the notice and the terms of the base model
    errors.ModelError: all that can go wrong, with a code and a sentence

From the command line: python -m inference.models PROFILE CACHE_FOLDER
"""
