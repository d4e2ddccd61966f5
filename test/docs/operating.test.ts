import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { register } from 'prom-client';
import '../../watcher/metrics.ts';
import '../../worker/archiver-metrics.ts';

const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'operating.md'), 'utf8');

/** Histograms and counters are queried with a suffix in some alerts. */
const named = [...page.matchAll(/\bsignalbox_(?:watcher|archive)_\w*\w/g)].map(([name]) => name);

test('alerts name metrics that exist', async () => {
  const metrics = (await register.getMetricsAsJSON()).map(({ name }) => name);
  expect(named.length).toBeGreaterThan(8);
  expect(named.filter((name) => !metrics.includes(name) && !name.endsWith('_'))).toEqual([]);
});
