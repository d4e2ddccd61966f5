import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../eventually.ts';
import { openStage, type Stage } from '../scenarios/stage.ts';
import { type Installer, openInstallers } from './installers.ts';

/** What kubectl says of each kustomization, on a cluster that has nothing of signalbox. */

let stage: Stage;
let kubectl: Installer;

beforeAll(async () => {
  stage = await openStage({ localNode: false });
  ({ kubectl } = await openInstallers(stage.sandbox.kubeconfig));
}, 600_000);

afterAll(() => stage?.close());

describe.each(['cluster', 'namespaced', 'mpi', 'people'])('deploy/kubernetes/%s', (name) => {
  const folder = `deploy/kubernetes/${name}`;

  it('is applied to an empty cluster in one go, and removed again', async () => {
    const applied = await kubectl('apply', '--validate=strict', '-k', folder);
    const lines = applied.trim().split('\n');
    expect(lines.filter((line) => !line.endsWith(' created'))).toEqual([]);
    await kubectl('delete', '-k', folder, '--wait=false');
    await eventually('nothing of it is left', async () => {
      const left = await kubectl('get', '-k', folder, '--ignore-not-found', '--output=name');
      return left === '';
    });
  });
});
