import numpy as np
from sklearn.utils.estimator_checks import parametrize_with_checks

from spacy_thematic.clustering.estimators import IclustClustering
from spacy_thematic.clustering.iclust import iclust


@parametrize_with_checks(
    [IclustClustering(n_clusters=3, random_state=0), IclustClustering(random_state=0)]
)
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def test_labels_are_those_of_iclust(blobs):
    model = IclustClustering(3, random_state=np.random.RandomState(0)).fit(blobs[0])
    assert model.labels_.tolist() == iclust(blobs[0], 3).tolist()
    assert model.cluster_centers_.shape == (3, 20)


def test_the_number_of_clusters_is_found(blobs):
    model = IclustClustering(random_state=0).fit(blobs[0])
    assert len(model.cluster_centers_) == 3
    # Six texts are not six clusters.
    six = IclustClustering(random_state=0).fit(blobs[0][:6] + np.eye(6, 20))
    assert len(six.cluster_centers_) < 6


def test_new_rows_go_to_the_nearest_centre(blobs):
    rows, truth = blobs
    for centre in (True, False):
        model = IclustClustering(3, random_state=0, centre=centre).fit(rows)
        assert model.predict(rows).tolist() == model.labels_.tolist()
        expected = [model.labels_[truth == kind][0] for kind in range(3)]
        assert model.predict(np.eye(3, 20)).tolist() == expected
