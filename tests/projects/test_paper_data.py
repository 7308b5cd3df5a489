"""The paper's data, in small files of the same format."""

import hashlib
import io
import random
import tarfile
import tracemalloc
import zipfile

import pytest
import spacy

import paper_data
from paper_data import check_hash, count_triplets, main, unpack_benchmark, unpack_triplets
from spacy_thematic.articles.formats import find_format
from spacy_thematic.models.vector_tables import load_word_vectors
from tests.cli.conftest import flat

BENCHMARK = "Article Title,Sentence,SectionTitle,Article Link\nOslo,It is big.,Size,http://x\n"
TRIPLETS = 'Sentence1,Sentence2,Sentence3\n"It is, big.",It grew.,It sank.\n'


def write_benchmark(path, text=BENCHMARK):
    with tarfile.open(path, "w:gz") as tar:
        for name in ("README.txt", "dataset.csv"):
            member = tarfile.TarInfo(f"thematic-clustering-of-sentences/{name}")
            member.size = len(text)
            tar.addfile(member, io.BytesIO(text.encode()))


def write_triplets(path, names=("train.csv", "validation.csv", "test.csv"), text=TRIPLETS):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in names:
            archive.writestr(name, text)


def test_archives_are_unpacked_into_formats_that_are_recognised(tmp_path):
    write_benchmark(tmp_path / "b.tar.gz")
    unpack_benchmark(tmp_path / "b.tar.gz", tmp_path / "dataset.csv")
    assert find_format(tmp_path / "dataset.csv").name == "sentence_clustering"
    write_triplets(tmp_path / "t.zip")
    unpack_triplets(tmp_path / "t.zip", tmp_path / "triplets")
    assert (tmp_path / "triplets" / "validation.csv").read_text() == TRIPLETS


def test_other_archives_are_refused(tmp_path):
    write_benchmark(tmp_path / "b.tar.gz", "title,text\n")
    with pytest.raises(ValueError, match="no column 'Article Title'"):
        unpack_benchmark(tmp_path / "b.tar.gz", tmp_path / "dataset.csv")
    write_triplets(tmp_path / "t.zip", names=("train.csv", "test.csv"))
    with pytest.raises(ValueError, match="no column 'Sentence1'"):
        unpack_triplets(tmp_path / "t.zip", tmp_path / "triplets")
    assert not (tmp_path / "dataset.csv").exists()


def test_archives_are_unpacked_in_little_memory(tmp_path):
    """The released train.csv has about 700 MB."""
    rows = TRIPLETS.partition("\n")[2] * (1 << 20)
    write_triplets(tmp_path / "t.zip", text=TRIPLETS + rows)
    write_benchmark(tmp_path / "b.tar.gz", BENCHMARK + BENCHMARK.partition("\n")[2] * (1 << 20))
    tracemalloc.start()
    unpack_triplets(tmp_path / "t.zip", tmp_path / "triplets")
    unpack_benchmark(tmp_path / "b.tar.gz", tmp_path / "dataset.csv")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (tmp_path / "triplets" / "test.csv").read_text() == TRIPLETS + rows
    assert peak < 2**23 < len(rows)


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_damaged_archives_are_errors_and_leave_earlier_files(tmp_path, share):
    rng = random.Random(0)
    rows = "".join(f"It is {rng.random()}.,It was.,It sank.\n" for _ in range(20_000))
    write_triplets(tmp_path / "t.zip", text=TRIPLETS + rows)
    unpack_triplets(tmp_path / "t.zip", tmp_path / "triplets")
    write_benchmark(tmp_path / "b.tar.gz", BENCHMARK + rows)
    for name in ("t.zip", "b.tar.gz"):
        data = (tmp_path / name).read_bytes()
        (tmp_path / name).write_bytes(data[: int(share * len(data))])
    with pytest.raises(ValueError, match=r"t.zip is cut off or damaged .* fetch it again"):
        unpack_triplets(tmp_path / "t.zip", tmp_path / "triplets")
    with pytest.raises(ValueError, match=r"b.tar.gz is cut off or damaged"):
        unpack_benchmark(tmp_path / "b.tar.gz", tmp_path / "dataset.csv")
    left = sorted(path.name for path in (tmp_path / "triplets").iterdir())
    assert left == ["test.csv", "train.csv", "validation.csv"]
    assert (tmp_path / "triplets" / "test.csv").read_text() == TRIPLETS + rows
    assert not list(tmp_path.glob("*dataset.csv*"))


def test_a_wrong_hash_is_an_error_that_names_the_file(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"whole")
    check_hash(path, "md5", hashlib.md5(b"whole").hexdigest())
    path.write_bytes(b"who")
    with pytest.raises(ValueError, match=r"file has the md5 .* fetch it again"):
        check_hash(path, "md5", hashlib.md5(b"whole").hexdigest())


def test_all_files_are_checked(tmp_path, monkeypatch, capsys):
    """With small files, and their hashes in the place of the true ones."""
    write_benchmark(tmp_path / paper_data.BENCHMARK[0])
    (tmp_path / paper_data.GLOVE[0]).write_bytes(b"x")
    for name in ("GLOVE", "BENCHMARK"):
        file, algorithm, _ = getattr(paper_data, name)
        digest = hashlib.new(algorithm, (tmp_path / file).read_bytes()).hexdigest()
        monkeypatch.setattr(paper_data, name, (file, algorithm, digest))
    write_triplets(tmp_path / paper_data.TRIPLETS, text=f"{TRIPLETS}It is.\n,,\n")
    with zipfile.ZipFile(tmp_path / paper_data.SICK, "w") as archive:
        head = "pair_ID\tsentence_A\tsentence_B\trelatedness_score\tSemEval_set\n"
        rows = "".join(f"1\ta\tb\t2.5\t{split}\n" for split in ("TRAIN", "TRIAL", "TEST"))
        archive.writestr("SICK.txt", head + rows)
    with pytest.raises(SystemExit):
        main(tmp_path)
    output = flat(capsys.readouterr().out)
    assert "test.csv has 1 triplets, and the release 222,957" in output
    assert "line 3: not a row" in output
    assert "row 2: a sentence is empty" in output
    assert "1 pairs, not 4,500" in output


def test_other_numbers_of_triplets_are_not_as_expected(tmp_path, monkeypatch):
    write_triplets(tmp_path / "a.zip")
    unpack_triplets(tmp_path / "a.zip", tmp_path / "a")
    assert not count_triplets(tmp_path / "a")
    rows = dict.fromkeys(paper_data.TRIPLET_ROWS, 1)
    monkeypatch.setattr(paper_data, "TRIPLET_ROWS", rows)
    assert count_triplets(tmp_path / "a")


def test_glove_as_it_is_zipped(tmp_path):
    """One text file, no head, words with spaces among them."""
    rows = [", 0.1 0.2 -0.3", "at name@domain.com 1 2 3", ". . . 4 5 6", "river 0.5 0 1e-05"]
    with zipfile.ZipFile(tmp_path / "glove.840B.300d.zip", "w") as archive:
        archive.writestr("glove.840B.300d.txt", "\n".join(rows) + "\n")
    vocab = load_word_vectors(tmp_path / "glove.840B.300d.zip")
    assert vocab.vectors.shape == (4, 3)
    assert vocab.get_vector("at name@domain.com").tolist() == [1, 2, 3]
    assert vocab.get_vector(". . .").tolist() == [4, 5, 6]
    assert spacy.blank("en", vocab=vocab)("river")[0].has_vector
    with zipfile.ZipFile(tmp_path / "two.zip", "w") as archive:
        archive.writestr("a.txt", "a 1 2\n")
        archive.writestr("b.txt", "b 1 2\n")
    with pytest.raises(ValueError, match="Expected one file"):
        load_word_vectors(tmp_path / "two.zip")


def test_text_vectors_are_read_in_little_more_than_they_take(tmp_path):
    """GloVe 840B has 2.6 GB of them."""
    numbers = " 0.12345" * 300
    with (tmp_path / "vectors.txt").open("w") as file:
        file.writelines(f"word{number}{numbers}\n" for number in range(20_000))
    tracemalloc.start()
    vocab = load_word_vectors(tmp_path / "vectors.txt")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert vocab.vectors.data.nbytes == 20_000 * 300 * 4
    assert peak < 1.5 * vocab.vectors.data.nbytes
