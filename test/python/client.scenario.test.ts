import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { sandboxLayout } from '@signalbox/sandbox';
import { openStage, type Stage } from '../scenarios/stage.ts';
import { findPython, PythonEnvironment, SET_UP_MS } from './environment.ts';
import { TypeScriptClient } from './typescript-client.ts';

/** Runs the Python package's tests that need servers against those of this process. */

const python = await findPython();
if (!python) console.warn('Skipped the Python client: this machine has no Python 3.10 or later.');

let stage: Stage;
let environment: PythonEnvironment;
let other: TypeScriptClient;

(python ? describe : describe.skip)('the Python client', () => {
  beforeAll(async () => {
    environment = await PythonEnvironment.ensure(python!);
    stage = await openStage();
    await stage.engine('up');
    other = await TypeScriptClient.serve(stage.client);
  }, SET_UP_MS);

  afterAll(async () => {
    await other?.close();
    await stage?.close();
  });

  it('passes its tests against real servers', async () => {
    const { code, output } = await environment.module(['pytest', '-q', '-m', 'servers'], {
      TEMPORAL_ADDRESS: stage.sandbox.temporalAddress,
      SIGNALBOX_KUBECONFIG: stage.sandbox.kubeconfig,
      SIGNALBOX_NAMESPACE: stage.namespace,
      SIGNALBOX_EVIDENCE_DIR: sandboxLayout(stage.sandbox.dir).evidence,
      SIGNALBOX_TYPESCRIPT_CLIENT: other.url,
    });
    expect({ code, output: code === 0 ? '' : output }).toEqual({ code: 0, output: '' });
  }, 300_000);
});
