import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { register } from 'prom-client';
import { JOB_COUNTERS, JOB_HISTOGRAMS } from '../../contracts/job-metrics.ts';
import { dashboardPanels } from '../dashboards.ts';
import '../../bridge/metrics.ts';
import '../../cli/processes/build-info.ts';
import '../../console/metrics.ts';
import '../../notify/metrics.ts';
import '../../watcher/metrics.ts';
import '../../worker/archiver-metrics.ts';
import { alertRules } from './alert-rules.ts';

/** Alerts, dashboards and docs before the metrics that there are. Prometheus itself reads them in a scenario. */

const docs = (name: string) => readFileSync(join(import.meta.dirname, '..', '..', 'docs', name), 'utf8');

async function metricNames(): Promise<ReadonlySet<string>> {
  const own = (await register.getMetricsAsJSON()).map(({ name }) => name);
  const ofJobs = [...Object.values(JOB_COUNTERS), ...Object.values(JOB_HISTOGRAMS)].map(({ name }) => name);
  return new Set([...own, ...ofJobs]);
}

/** Histograms are queried with a suffix. */
const namesIn = (text: string): readonly string[] =>
  [...text.matchAll(/\bsignalbox_\w*\w/g)].map(([name]) => name.replace(/_bucket$/, ''));

describe('names of metrics', () => {
  it.each([
    ['alerts', async () => alertRules().map(({ expr }) => expr)],
    [
      'dashboards',
      async () => (await dashboardPanels()).flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
    ],
    ['docs', async () => [docs('reference.md'), docs('alerts.md')]],
  ])('in %s are of metrics that exist', async (_, texts) => {
    const known = await metricNames();
    const named = (await texts()).flatMap(namesIn);
    expect(named.length).toBeGreaterThan(2);
    expect(named.filter((name) => !known.has(name) && !name.endsWith('_'))).toEqual([]);
  });
});

describe('an alert', () => {
  const headings = [...docs('alerts.md').matchAll(/^### (\w+)$/gm)].map(([, name]) => name);

  it('has a section in docs/alerts.md, in the same order, and there are no others', () => {
    expect(headings).toEqual(alertRules().map(({ alert }) => alert));
  });

  it('says what is wrong, how much it hurts, and where to read on', () => {
    for (const { alert, labels, annotations } of alertRules()) {
      expect(['critical', 'warning', 'info']).toContain(labels.severity);
      expect(annotations.summary).toMatch(/^[^$]*(\{\{ \$labels\.\w+ \}\}[^$]*)*\.$/);
      expect(annotations.description).toBeTruthy();
      expect(annotations.runbook_url).toBe(`docs/alerts.md#${alert.toLowerCase()}`);
    }
  });

  it('is explained: what it means, how to look, what to do', () => {
    const sections = docs('alerts.md').split(/^### /m).slice(1);
    for (const section of sections)
      for (const part of ['**Means**', '**Look**', '**Do**']) expect(section).toContain(part);
  });
});

describe('a panel of a dashboard', () => {
  it('has a title, a description and a unit', async () => {
    const panels = await dashboardPanels();
    expect(panels.length).toBeGreaterThan(20);
    for (const { title, description, fieldConfig } of panels)
      expect([title, description, fieldConfig?.defaults.unit]).toEqual(
        Array(3).fill(expect.stringMatching(/\w/)),
      );
  });

  it('rates only counters and histograms, over the interval that Grafana chooses, or a day', async () => {
    for (const { targets = [] } of await dashboardPanels())
      for (const { expr } of targets)
        for (const [, name, range] of expr.matchAll(/(?:rate|increase)\((\w+)(?:\{[^}]*\})?\[([^\]]+)\]/g)) {
          expect(name).toMatch(/(_total|_bucket)$/);
          expect(['$__rate_interval', '1d']).toContain(range);
        }
  });
});
