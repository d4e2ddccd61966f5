import { expect, it } from '@jest/globals';
import { register } from 'prom-client';
import type { DeviceUse } from '../../record/uses/job-uses.ts';
import { countUses } from '../../worker/archiver-metrics.ts';

const use = (ms: number, more: Partial<DeviceUse>): DeviceUse => ({
  ...{ day: '2026-11-23', attempt: 1, use: 'productive', resource: 'nvidia.com/gpu', ms, assumedMs: 0 },
  ...more,
});

it('GPU-seconds of archived jobs are counted by namespace and use, over days, attempts and vendors', async () => {
  countUses('ml', [use(1500, {}), use(500, { day: '2026-11-24', resource: 'amd.com/gpu' })]);
  countUses('ml', [use(7000, { use: 'gang' }), use(9000, { resource: 'rdma/hca' })]);
  const text = await register.getSingleMetricAsString('signalbox_used_gpu_seconds_total');
  expect(text.split('\n').filter((line) => !line.startsWith('#'))).toEqual([
    'signalbox_used_gpu_seconds_total{job_namespace="ml",use="productive"} 2',
    'signalbox_used_gpu_seconds_total{job_namespace="ml",use="gang"} 7',
  ]);
});
