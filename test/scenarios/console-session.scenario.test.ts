import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { stringify } from 'yaml';
import type { RunningConsole } from '../../console/console.ts';
import { findBrowser, launchBrowser } from '../browser.ts';
import { eventually } from '../eventually.ts';
import { localJob } from './local-jobs.ts';
import { openStage, type Stage } from './stage.ts';
import { startStageConsole } from './stage-console.ts';

/** A working session in a browser over real servers, with nothing but clicks and keys: each test goes on from the last. */

const BROWSER = findBrowser();
const describeWithBrowser = BROWSER ? describe : describe.skip;
// The report does not name the tests that are skipped.
if (!BROWSER) process.stderr.write('No session in the console: no chromium or google-chrome on the PATH.\n');

const NAME = 'session';
/** More than this machine has. */
const TOO_MANY = '4000';
/** Fails as long as MODE is bad, once the file `go` is there. */
const SCRIPT = `echo step=1
until [ -e /out/go ]; do sleep 0.1; done
echo step=2
if [ "$MODE" = bad ]; then echo 'ValueError: batch 7 has no labels' >&2; exit 1; fi`;

let stage: Stage;
let console_: RunningConsole;
let browser: Browser;
let page: Page;
let out: string;
const faults: string[] = [];

beforeAll(async () => {
  if (!BROWSER) return;
  out = await mkdtemp(join(tmpdir(), 'signalbox-session-'));
  stage = await openStage({ sharesEngine: true });
  [console_, browser] = await Promise.all([startStageConsole(stage), launchBrowser(BROWSER)]);
  page = await browser.newPage();
  page.on('pageerror', (error) => faults.push(error.message));
});
afterAll(async () => {
  await browser?.close();
  await console_?.stop();
  await stage?.close();
  if (out) await rm(out, { recursive: true, force: true });
});

const manifest = () =>
  stringify(
    localJob({
      ...{ name: NAME, namespace: stage.namespace, script: SCRIPT, out, restartPolicy: 'Never' },
      container: {
        env: [{ name: 'MODE', value: 'bad' }],
        resources: { limits: { cpu: TOO_MANY } },
      },
    }),
  );

/** Nobody loads the page again: it follows what happens. */
const untilShown = (text: string | RegExp, within = '#content') =>
  page.locator(within).getByText(text).filter({ visible: true }).first().waitFor({ timeout: 90_000 });

const jobPath = () => `/jobs/${stage.namespace}/${NAME}`;

async function ask(action: string, fill: Readonly<Record<string, string>>): Promise<void> {
  await page.getByRole('link', { name: action, exact: true }).click();
  for (const [name, value] of Object.entries(fill)) await page.locator(`[name=${name}]`).fill(value);
  await page.getByRole('button', { name: action }).click();
  await page.waitForURL(`**${jobPath()}*asked=*`);
}

describeWithBrowser('a working session', () => {
  it('a manifest is checked as it is typed, and says what it would wait for', async () => {
    await page.goto(console_.address);
    await page.getByRole('link', { name: 'Submit' }).click();
    const field = page.locator('#manifest');
    await field.fill(manifest().replace('replicas: 1', 'replicas: -1'));
    await untilShown('spec.pytorchReplicaSpecs.Master.replicas', '#checked');
    await field.fill(manifest());
    await untilShown('It is valid.', '#checked');
    await untilShown(TOO_MANY, '#checked');
  });

  it('it is submitted with a reason, and its page says why it waits and who can change that', async () => {
    await page.locator('input[name=why]').fill('the first try');
    await page.getByRole('button', { name: 'Submit' }).click();
    await page.waitForURL(`**${jobPath()}`);
    await untilShown(/cpu/, 'section[aria-labelledby=why]');
    await page.getByRole('link', { name: 'Waiting' }).click();
    await page.getByRole('link', { name: 'Jobs that are pending' }).click();
    await page.getByRole('link', { name: NAME, exact: true }).click();
    await page.waitForURL(`**${jobPath()}`);
  });

  it('it is stopped with a reason, and rerun with fewer CPUs', async () => {
    await ask('Stop', { why: 'it asks for too much', confirm: NAME });
    await untilShown('it asks for too much');
    await untilShown('Stopped');
    const cpus = 'spec.pytorchReplicaSpecs.Master.template.spec.containers[0].resources.limits.cpu=0.1';
    await ask('Rerun', { why: 'with less', set: cpus });
    await untilShown('The job runs.');
  });

  it('its log can be followed', async () => {
    await page.getByRole('link', { name: 'Logs' }).click();
    await untilShown('step=1', '#lines');
    await writeFile(join(out, 'go'), '');
    await untilShown('ValueError: batch 7 has no labels', '#lines');
  });

  it('its page tells of the failure, with exit code, log and evidence', async () => {
    await page.goto(console_.address + jobPath());
    await untilShown('Failed', '.head');
    await untilShown('ValueError: batch 7 has no labels');
    await untilShown(/exit code 1|exited with 1|code 1/);
  });

  it('it is rerun with another variable, completes, and is compared with the one before', async () => {
    await ask('Rerun', { why: 'with labels', set: 'MODE=good' });
    await untilShown('Completed', '.head');
    await page.getByRole('link', { name: 'Compare with the one before' }).click();
    const table = page.getByRole('table', { name: /Differences: environment/ });
    await table.waitFor();
    expect(await table.textContent()).toMatch(/bad.*good|good.*bad/s);
  });

  it('the list has the three runs, and the month of the team its cost', async () => {
    await page.goto(`${console_.address}/?namespace=${stage.namespace}&name=${NAME}`);
    for (const phase of ['Stopped', 'Failed', 'Completed']) await untilShown(phase, '.jobs');
    await eventually('the month counts them', async () => {
      await page.goto(`${console_.address}/team/report?namespace=${stage.namespace}&since=1d`);
      const shown = await page.locator('#content').textContent();
      if (shown?.includes('1 completed, 1 failed, 1 stopped')) return true;
      throw new Error(`it shows: ${shown?.slice(0, 600)}`);
    });
  });

  it('no script failed meanwhile', () => {
    expect(faults).toEqual([]);
  });
});
