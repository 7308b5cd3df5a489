"""Docs of texts that may hold anything."""

import re
from itertools import pairwise

import numpy as np
from spacy.language import Language
from spacy.tokenizer import Tokenizer
from spacy.tokens import Doc
from spacy.util import compile_infix_regex, compile_suffix_regex
from spacy.vocab import Vocab

# What spaCy splits off one by one wherever it stands.
_MARK = r"(?:[^\w\s./\\^|~@-]|_)"
_PIECE = re.compile(rf"{_MARK}{{50}}(?={_MARK}{{50}})")
# No space follows them, so the tokenizers of other languages see one word in a whole paragraph.
_FULL_STOP = re.compile(r"[。！？｡][」』”’）]{0,3}(?=\w)")
_WITHOUT_SPACES = frozenset({"ja", "ko", "zh"})
# Where spaCy sees one word, though a sentence ends in it after a bracket or a number, and no space
# follows: "(0.88).Results We", not "f().Name", "Int32.Parse" and "1.Introduction".
_GLUED = (
    r"(?<=\w)[)\]%]{1,3}(?=\.[A-Z][a-z])",
    r"(?:(?<=\w[)\]%])|(?<=[)\]%]{2})|(?<=[\d.]\d)(?<![^\W\d_]\d\d))\.(?=[A-Z][a-z])",
)
# No suffix or infix of English begins with a letter, but for units after a number ("5km"). To look
# at the letter first is faster than to try one after the other.
_OF_ENGLISH = r"(?!(?<!\d)[A-Za-z])(?:{})"


def tokenize(nlp: Language, text: str) -> Doc:
    """Tokenize a text, as `nlp.make_doc` does, in time that grows with its length.

    spaCy's tokenizer takes one mark after the other from what stands between two spaces, and looks
    at all the others each time: 3,000 opening brackets take a second, 100,000 take twenty minutes.
    So runs of 100 marks or more are tokenized in pieces. So are Chinese and Japanese sentences, if
    the tokenizer is of another language. Raises ValueError if the text is longer than
    `nlp.max_length`."""
    cuts = [piece.end() for piece in _PIECE.finditer(text)]
    if nlp.lang not in _WITHOUT_SPACES:
        cuts = sorted({*cuts, *(stop.end() for stop in _FULL_STOP.finditer(text))})
    if not cuts or len(text) > nlp.max_length:
        return nlp.make_doc(text)
    pieces = [nlp.make_doc(text[start:end]) for start, end in pairwise([0, *cuts, len(text)])]
    doc = Doc.from_docs(pieces, ensure_whitespace=False)
    # A piece of one token counts as a sentence.
    return doc.from_array(["SENT_START"], np.zeros(len(doc), np.uint64))


def split_glued(nlp: Language) -> None:
    """Let the tokenizer of a pipeline split words where a sentence ends in them."""
    if isinstance(nlp.tokenizer, Tokenizer):
        infix = compile_infix_regex([*(nlp.Defaults.infixes or ()), *_GLUED])
        if nlp.lang == "en":
            infix = re.compile(_OF_ENGLISH.format(infix.pattern))
            suffix = compile_suffix_regex(nlp.Defaults.suffixes or ()).pattern
            nlp.tokenizer.suffix_search = re.compile(_OF_ENGLISH.format(suffix)).search
        nlp.tokenizer.infix_finditer = infix.finditer


def copy_words(doc: Doc, vocab: Vocab) -> Doc:
    """Return a Doc of a vocabulary with the words of another Doc, and nothing else of it."""
    words, spaces = [token.text for token in doc], [bool(token.whitespace_) for token in doc]
    return Doc(vocab, words=words, spaces=spaces)
