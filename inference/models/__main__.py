"""Builds the model of a profile: python -m inference.models PROFILE CACHE_FOLDER"""

import argparse
import sys
from pathlib import Path

from inference.models.errors import ModelError
from inference.models.recipes import build


def say(sentence: str, share: float) -> None:
    print(f"{share:4.0%} {sentence}")


parser = argparse.ArgumentParser(description="Builds the model of a profile.")
parser.add_argument("profile")
parser.add_argument("cache", type=Path)
arguments = parser.parse_args()
try:
    print(build(arguments.profile, arguments.cache, say))
except ModelError as error:
    sys.exit(str(error))
