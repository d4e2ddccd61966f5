import type { TrainingJob } from '../../contracts/training-job.ts';
import type { Compatibility, Difference } from './difference.ts';
import { JAX_COMPATIBILITY } from './jax.ts';
import { MPI_COMPATIBILITY } from './mpi.ts';
import { MPI_V2_COMPATIBILITY } from './mpi-v2.ts';
import { PADDLE_COMPATIBILITY } from './paddle.ts';
import { PADDLE_OPERATOR_COMPATIBILITY } from './paddle-operator.ts';
import { PYTORCH_COMPATIBILITY } from './pytorch.ts';
import { TENSORFLOW_COMPATIBILITY } from './tensorflow.ts';
import { TRAIN_JOB_COMPATIBILITY } from './train-job.ts';
import { VOLCANO_JOB_COMPATIBILITY } from './volcano-job.ts';
import { XGBOOST_COMPATIBILITY } from './xgboost.ts';

/** One entry for each kind that has an original. */
export const COMPATIBILITY: readonly Compatibility[] = [
  PYTORCH_COMPATIBILITY,
  TENSORFLOW_COMPATIBILITY,
  XGBOOST_COMPATIBILITY,
  PADDLE_COMPATIBILITY,
  JAX_COMPATIBILITY,
  MPI_COMPATIBILITY,
  MPI_V2_COMPATIBILITY,
  PADDLE_OPERATOR_COMPATIBILITY,
  VOLCANO_JOB_COMPATIBILITY,
  TRAIN_JOB_COMPATIBILITY,
];

/** All that differs for a job. */
export function differencesOf(job: TrainingJob): readonly Difference[] {
  const found = COMPATIBILITY.find(
    ({ apiVersion, kind }) => apiVersion === job.apiVersion && kind === job.kind,
  );
  const all = found ? [...found.family, ...found.differences] : [];
  return all.filter(({ when }) => !when || when(job));
}
