import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { stringify } from 'yaml';
import { hasPrometheus, NO_PROMETHEUS, promtool } from '../prometheus.ts';
import { ALERT_CASES, ALL_WELL } from './alert-cases.ts';
import { ALERTS_FILE, alertRules } from './alert-rules.ts';

jest.setTimeout(240_000);

const isPossible = await hasPrometheus();
if (!isPossible) console.warn(`Skipped the alert rules in promtool: ${NO_PROMETHEUS}`);

/** As `promtool test rules` takes it: the rules, and series that it pretends. */
const testOf = (
  name: string,
  series: Readonly<Record<string, string>>,
  minutes: number,
  alerts: readonly object[],
) => ({
  name,
  interval: '1m',
  input_series: Object.entries({ ...ALL_WELL, ...series }).map(([one, values]) => ({ series: one, values })),
  alert_rule_test: alerts.map((alert) => ({ eval_time: `${minutes}m`, ...alert })),
});

(isPossible ? describe : describe.skip)('the alert rules', () => {
  const names = alertRules().map(({ alert }) => alert);

  it('have a case each', () => {
    expect(Object.keys(ALERT_CASES)).toEqual(names);
  });

  it('are valid for Prometheus', async () => {
    expect(await promtool(['check', 'rules', ALERTS_FILE])).toContain(`${names.length} rules found`);
  });

  it('fire when they should, and stay silent otherwise', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'signalbox-alerts-'));
    const isSilent = (alertname: string) => ({ alertname, exp_alerts: [] });
    const tests = Object.entries(ALERT_CASES).map(([name, { silent = {}, afterMinutes }]) =>
      testOf(`${name} stays silent`, silent, afterMinutes, [isSilent(name)]),
    );
    try {
      await writeFile(join(folder, 'silent.yaml'), stringify({ rule_files: [ALERTS_FILE], tests }));
      await promtool(['test', 'rules', join(folder, 'silent.yaml')]);
      // What promtool expects has each label and annotation: that it fires is seen by its words when nothing is expected.
      for (const [name, { fires, afterMinutes }] of Object.entries(ALERT_CASES)) {
        const file = join(folder, `${name}.yaml`);
        const test = testOf(`${name} fires`, fires, afterMinutes, [isSilent(name)]);
        await writeFile(file, stringify({ rule_files: [ALERTS_FILE], tests: [test] }));
        const said = await promtool(['test', 'rules', file]).catch(
          ({ stdout, stderr }) => `${stdout}${stderr}`,
        );
        expect(`${name}: ${said}`).toContain(`alertname="${name}"`);
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
