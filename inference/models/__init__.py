"""Models of the fleet: profiles (what a node serves) and recipes (how its model is built).

build(profile_name, cache_dir, progress) -> folder that vLLM serves
license_text(profile_name) -> the notice on the base model's terms
profiles.load(name) -> Profile
"""
