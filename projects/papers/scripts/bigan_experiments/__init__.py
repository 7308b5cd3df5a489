"""What the experiments with Triplet BiGAN share: training on tensors, image nets and image sets."""
