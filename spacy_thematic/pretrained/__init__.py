"""Trained encoders as files: the bundled models, each with its card beside it, and a user's own."""

from spacy_thematic.pretrained.architecture import BLANK as BLANK
from spacy_thematic.pretrained.architecture import build_architecture as build_architecture
from spacy_thematic.pretrained.paths import BUNDLED as BUNDLED
from spacy_thematic.pretrained.paths import find_path as find_path
from spacy_thematic.pretrained.source import BASE as BASE
from spacy_thematic.pretrained.source import Pretrained as Pretrained
from spacy_thematic.pretrained.source import find_pretrained as find_pretrained
from spacy_thematic.pretrained.source import include_bases as include_bases
from spacy_thematic.pretrained.source import list_bundled as list_bundled
