import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Browser, chromium, type Page } from 'playwright-core';
import type { JobHandle } from '../../client/handles/job-handle.ts';
import { findBrowser } from '../browser.ts';
import { eventually } from '../eventually.ts';
import { simulatedJob } from '../scenarios/manifests.ts';
import { openStage, type Stage, untilPhase } from '../scenarios/stage.ts';
import { statusOf } from '../status-of.ts';

/**
 * What people see in Temporal's UI, and the pictures of docs/temporal.md. SIGNALBOX_UPDATE_PICTURES=1 replaces those in
 * docs/pictures.
 */

const ROOT = join(import.meta.dirname, '..', '..');
const PICTURES = process.env.SIGNALBOX_UPDATE_PICTURES
  ? join(ROOT, 'docs', 'pictures')
  : join(ROOT, '.signalbox', 'pictures');

const CHROMIUM = findBrowser();

const describeWithBrowser = CHROMIUM ? describe : describe.skip;
// The report does not name the tests that are skipped.
if (!CHROMIUM)
  process.stderr.write("Temporal's UI is not looked at: no chromium or google-chrome on the PATH.\n");

let stage: Stage;
let browser: Browser;

beforeAll(async () => {
  if (!CHROMIUM) return;
  await mkdir(PICTURES, { recursive: true });
  stage = await openStage();
  await stage.engine('up');
  browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
});

afterAll(async () => {
  await browser?.close();
  await stage?.close();
});

const pathOf = async (job: JobHandle, tab: string) => {
  const { runId } = await stage.temporal.workflow.getHandle(job.workflowId).describe();
  return `/namespaces/default/workflows/${encodeURIComponent(job.workflowId)}/${runId}/${tab}`;
};

/** Opens a page of the UI, and waits until it shows all texts. */
async function open(path: string, texts: readonly string[]): Promise<Page> {
  // As high as what is on it: the UI scrolls inside the page.
  const page = await browser.newPage({ viewport: { width: 1_280, height: 1_500 } });
  await page.goto(`${stage.sandbox.temporalUiUrl}${path}`);
  await eventually(`the page shows ${texts.join(', ')}`, async () => {
    const shown = await textOf(page);
    const missing = texts.filter((text) => !shown.includes(text));
    if (missing.length > 0) throw new Error(`it lacks ${missing.join(' and ')}: ${shown}`);
    return true;
  });
  return page;
}

/** The UI renders Markdown in frames of their own. */
async function textOf(page: Page): Promise<string> {
  const texts = await Promise.all(page.frames().map((frame) => frame.textContent('body').catch(() => '')));
  return texts.join('\n').replaceAll(/\s+/g, ' ');
}

/** The repository has them. */
const MOST_BYTES = 200_000;

/** Takes a picture from a heading on, without the UI's own margins. */
async function picture(page: Page, name: string, { heading, height }: { heading: string; height: number }) {
  const { y = 0 } = (await page.getByText(heading, { exact: true }).first().boundingBox()) ?? {};
  const clip = { x: 64, y: y - 16, width: 1_216, height };
  const bytes = await page.screenshot({ path: join(PICTURES, `${name}.png`), clip });
  expect(bytes.length).toBeLessThan(MOST_BYTES);
}

describeWithBrowser(
  `Temporal's UI (${CHROMIUM ? 'in Chromium' : 'skipped: no Chromium on the PATH'})`,
  () => {
    it('the Temporal UI shows what a job waits for, and its commands', async () => {
      const namespace = 'default';
      // No node has as many.
      const manifest = simulatedJob({ name: 'resnet', namespace, limits: { 'nvidia.com/gpu': 16 } });
      const job = await stage.client.submit(manifest, {
        labels: { team: 'vision' },
        why: 'the new data',
        rerun: true,
      });
      await eventually('it waits', async () => (await statusOf(job)).cause?.reason === 'NeverFits');
      const shown = [
        `PyTorchJob ${namespace}/resnet · 3 pods, 48 nvidia.com/gpu`,
        'Why: the new data',
        `Pending: PyTorchJob ${namespace}/resnet`,
        'What it waits for: NeverFits',
        'What helps:',
        'Decided last:',
        `signalbox stop resnet -n ${namespace}`,
      ];
      const path = await pathOf(job, 'user-metadata');
      await picture(await open(path, shown), 'temporal-user-metadata', { heading: 'Summary', height: 640 });
      await job.stop({});
    });

    it('the Temporal UI shows the steps of a job in its event history', async () => {
      const { namespace } = stage;
      const job = await stage.client.submit(
        simulatedJob({ name: 'story', namespace, worker: { replicas: 2, restartPolicy: 'OnFailure' } }),
      );
      await untilPhase(job, 'Running');
      await stage.endPod('story-worker-1', { exitCode: 137 });
      await eventually('it restarts', async () => ((await statusOf(job)).restarts > 0 ? true : undefined));
      await untilPhase(job, 'Running');
      await job.suspend({ by: 'ana', why: 'maintenance' });
      await untilPhase(job, 'Suspended');
      const path = `${await pathOf(job, 'history')}?sort=ascending`;
      const story = [
        'Check the manifest, take the name, create the first pods',
        'Replace story-worker-1 in attempt 1',
        'Delete pods, services and group until the job is resumed',
      ];
      await picture(await open(path, story), 'temporal-event-history', {
        heading: 'Event History',
        height: 640,
      });
      await job.stop({});
    });
  },
);
