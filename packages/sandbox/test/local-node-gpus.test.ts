import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Devices } from '../local-node/devices.ts';
import type { RunnableContainer, RunnablePod } from '../local-node/fields.ts';
import { findGpus } from '../local-node/find-gpus.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'signalbox-gpus-'));
});
afterEach(() => rm(root, { recursive: true }));

const withoutPrograms = () => Promise.reject(new Error('ENOENT'));

describe('the GPUs of a machine', () => {
  it('are those that nvidia-smi lists, by UUID', async () => {
    const run = async (program: string) => (program === 'nvidia-smi' ? 'GPU-5f0c\nGPU-77aa\n' : '');
    expect(await findGpus({ run, root })).toEqual([
      { resource: 'nvidia.com/gpu', variable: 'CUDA_VISIBLE_DEVICES', ids: ['GPU-5f0c', 'GPU-77aa'] },
    ]);
  });

  it('are the device files, where nvidia-smi is not there', async () => {
    await mkdir(join(root, 'dev'));
    for (const name of ['nvidia10', 'nvidia2', 'nvidiactl', 'nvidia-uvm'])
      await writeFile(join(root, 'dev', name), '');
    const [gpus] = await findGpus({ run: withoutPrograms, root });
    expect(gpus?.ids).toEqual(['2', '10']);
  });

  it('are the nodes with SIMD units, of those that the AMD driver lists', async () => {
    const nodes = join(root, 'sys/class/kfd/kfd/topology/nodes');
    for (const [node, units] of ['0', '256', '128'].entries()) {
      await mkdir(join(nodes, String(node)), { recursive: true });
      await writeFile(join(nodes, String(node), 'properties'), `cpu_cores_count 8\nsimd_count ${units}\n`);
    }
    expect(await findGpus({ run: withoutPrograms, root })).toEqual([
      { resource: 'amd.com/gpu', variable: 'ROCR_VISIBLE_DEVICES', ids: ['0', '1'] },
    ]);
  });

  it('are none where there is no driver', async () => {
    expect(await findGpus({ run: withoutPrograms, root })).toEqual([]);
  });
});

describe('a GPU', () => {
  const kind = { resource: 'nvidia.com/gpu', variable: 'CUDA_VISIBLE_DEVICES', ids: ['a', 'b', 'c', 'd'] };
  const container = (name: string, gpus?: number, more: object = {}): RunnableContainer => ({
    ...{ name, image: 'x', ...more },
    ...(gpus === undefined ? {} : { resources: { limits: { 'nvidia.com/gpu': `${gpus}` }, requests: {} } }),
  });
  const pod = (uid: string, containers: RunnableContainer[], initContainers: RunnableContainer[] = []) =>
    ({ metadata: { name: uid, uid }, spec: { containers, initContainers } }) as unknown as RunnablePod;
  const seen = (devices: Devices, { spec }: RunnablePod, of: RunnablePod) =>
    [...(spec.initContainers ?? []), ...spec.containers].map(
      (one) => devices.variablesOf(one, of).CUDA_VISIBLE_DEVICES,
    );

  it('belongs to one container, also when that starts again, until its pod has ended', () => {
    const devices = new Devices([kind]);
    const first = pod('first', [container('pytorch', 2), container('proxy')]);
    const second = pod('second', [container('pytorch', 1), container('other', 1)]);
    expect(seen(devices, first, first)).toEqual(['a,b', '']);
    expect(seen(devices, second, second)).toEqual(['c', 'd']);
    expect(seen(devices, first, first)).toEqual(['a,b', '']);
    const third = pod('third', [container('pytorch', 1)]);
    expect(() => seen(devices, third, third)).toThrow(
      'nvidia.com/gpu: the pod needs 1 more, but 0 of 4 are free',
    );
    devices.release('first');
    expect(seen(devices, third, third)).toEqual(['a']);
  });

  it('is used by an init container first, and not while a sidecar uses it', () => {
    const devices = new Devices([kind]);
    const sidecar = container('cache', 1, { restartPolicy: 'Always' });
    const ofPod = pod('pod', [container('pytorch', 2)], [container('download', 1), sidecar]);
    expect(seen(devices, ofPod, ofPod)).toEqual(['a', 'a', 'b,c']);
  });

  it('is hidden from containers where GPUs are simulated', () => {
    const ofPod = pod('pod', [container('pytorch', 2)]);
    expect(new Devices([]).variablesOf(ofPod.spec.containers[0]!, ofPod)).toEqual({});
  });
});
