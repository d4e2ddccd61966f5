"""Builders of manifests for common jobs: one function for each kind."""

from .kubeflow import jax_job, paddle_job, tf_job, xgboost_job
from .mpi import mpi_job, mpi_job_v2
from .paddle_operator import paddle_operator_job
from .pytorch import pytorch_job

__all__ = [
    "jax_job",
    "mpi_job",
    "mpi_job_v2",
    "paddle_job",
    "paddle_operator_job",
    "pytorch_job",
    "tf_job",
    "xgboost_job",
]
