"""Builders of manifests for common jobs: one function for each kind."""

from .pytorch import pytorch_job

__all__ = ["pytorch_job"]
