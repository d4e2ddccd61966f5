import type { Framework } from '../model/framework.ts';
import { jax } from './jax.ts';
import { mpi } from './mpi/mpi.ts';
import { mpiV2 } from './mpi/mpi-v2.ts';
import { paddle } from './paddle.ts';
import { paddleOperator } from './paddle-operator/paddle-operator.ts';
import { pytorch } from './pytorch.ts';
import { tensorflow } from './tensorflow.ts';
import { trainKind } from './train-job/train-job.ts';
import { volcanoKind } from './volcano-job/volcano-job.ts';
import { xgboost } from './xgboost.ts';

/** Every kind of job that signalbox runs. A new kind is one file and one line here. */
export const FRAMEWORKS: readonly Framework[] = [
  pytorch,
  tensorflow,
  xgboost,
  paddle,
  jax,
  mpi,
  mpiV2,
  paddleOperator,
  volcanoKind,
  trainKind,
];

export const findFramework = (apiVersion: unknown, kind: unknown) =>
  FRAMEWORKS.find((framework) => framework.apiVersion === apiVersion && framework.kind === kind);

/** Returns the framework of an admitted job. */
export function frameworkOf(job: { readonly apiVersion: string; readonly kind: string }): Framework {
  const framework = findFramework(job.apiVersion, job.kind);
  if (!framework) throw new Error(`no framework for ${job.apiVersion} ${job.kind}`);
  return framework;
}
