import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, test } from '@jest/globals';
import axe from 'axe-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { WhyAnswer } from '../../contracts/types.ts';
import { findBrowser, launchBrowser } from '../browser.ts';
import { eventually } from '../eventually.ts';
import { HOSTILE_JOB } from '../record/report/hostile-job.ts';
import { SAMPLE } from '../record/report/sample-job.ts';
import { type FakeCluster, openFakeCluster } from './fake-cluster.ts';
import { TRAINING, WAITING } from './jobs.ts';
import { type OpenedConsole, openConsole } from './opened-console.ts';
import { afternoon, lanesOf } from './shown-jobs.ts';

/**
 * What people see of the console, and the pictures of docs/console.md. SIGNALBOX_UPDATE_PICTURES=1 replaces those in
 * docs/pictures.
 */

const ROOT = join(import.meta.dirname, '..', '..');
const PICTURES = process.env.SIGNALBOX_UPDATE_PICTURES
  ? join(ROOT, 'docs', 'pictures')
  : join(ROOT, '.signalbox', 'pictures');
const BROWSER = findBrowser();
const describeWithBrowser = BROWSER ? describe : describe.skip;
// The report does not name the tests that are skipped.
if (!BROWSER)
  process.stderr.write('The console is not looked at: no chromium or google-chrome on the PATH.\n');

const WIDE = { viewport: { width: 1_280, height: 900 } } as const;
const DARK = { ...WIDE, colorScheme: 'dark' } as const;
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true } as const;
const LOOKS = { light: WIDE, dark: DARK, phone: PHONE } as const;

const TRAIN = '/jobs/ml/train';
const HOSTILE = `/jobs/${encodeURIComponent(HOSTILE_JOB.status.namespace)}/${encodeURIComponent(HOSTILE_JOB.status.name)}`;

const PAGES: Readonly<Record<string, string>> = {
  list: '/',
  'list-without-jobs': '/?name=none',
  job: TRAIN,
  'job-ended': '/jobs/ml/resnet',
  logs: `${TRAIN}/logs?all=yes`,
  waiting: '/waiting',
  'compare-empty': '/compare',
  compare: '/compare?a=ml/train&b=nlp/llama',
  team: '/team',
  'team-report': '/team/report?namespace=ml&since=30d',
  submit: '/submit',
  stop: `${TRAIN}/do/stop`,
  scale: `${TRAIN}/do/scale`,
  rerun: '/jobs/ml/resnet/do/rerun',
  'not-found': '/jobs/ml/nothing',
  hostile: HOSTILE,
};

/** Pages are made of the same parts: each look shows each part once. */
const PAGES_IN: Readonly<Record<string, readonly string[]>> = {
  light: Object.keys(PAGES),
  dark: ['list', 'job', 'logs', 'waiting', 'compare', 'team-report', 'submit', 'stop'],
  phone: ['list', 'job', 'logs', 'waiting', 'compare', 'team-report', 'submit', 'stop'],
};

let browser: Browser;
let cluster: FakeCluster;
let console_: OpenedConsole;
let guarded: OpenedConsole;

beforeAll(async () => {
  if (!BROWSER) return;
  await mkdir(PICTURES, { recursive: true });
  browser = await launchBrowser(BROWSER);
  cluster = await openFakeCluster();
  const jobs = [TRAINING, WAITING, SAMPLE, HOSTILE_JOB];
  const around = {
    cluster: { kubeconfig: cluster.kubeconfig, connections: 4 },
    lanes: { namespace: 'ml', name: 'lanes' },
  };
  console_ = await openConsole(jobs, { temporalUi: 'http://ui.example' }, around);
  console_.servers.shown = afternoon();
  console_.servers.lanes = lanesOf();
  console_.servers.next = undefined;
  console_.servers.lines = [1, 2, 3].map((step) => ({
    pod: 'train-master-0',
    text: `step=${step} loss=0.${9 - step}`,
  }));
  guarded = await openConsole([], { identity: 'kubernetes' }, around);
});
afterAll(async () => {
  await browser?.close();
  await Promise.all([console_?.stop(), guarded?.stop()]);
  await cluster?.close();
});

interface Opened {
  readonly page: Page;
  readonly requests: readonly string[];
  readonly messages: readonly string[];
}

async function open(url: string, options: BrowserContextOptions = WIDE): Promise<Opened> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const requests: string[] = [];
  const messages: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  page.on('console', (message) => messages.push(message.text()));
  page.on('pageerror', (error) => messages.push(error.message));
  page.on('dialog', (dialog) => {
    messages.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.goto(url);
  return { page, requests, messages };
}

const show = (path: string, options?: BrowserContextOptions) => open(console_.address + path, options);

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly html: string }[];
  }[];
}

async function violationsOf(page: Page, rules?: readonly string[]): Promise<readonly string[]> {
  await page.addScriptTag({ content: axe.source });
  const { violations } = await page.evaluate<AxeResult>(
    `axe.run(${JSON.stringify(rules ? { runOnly: rules } : {})})`,
  );
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join('; ')}`);
}

/** The repository has them. */
const MOST_PICTURE_BYTES = 150_000;

describeWithBrowser('the console in a browser', () => {
  test.each(
    Object.entries(LOOKS).flatMap(([look, options]) =>
      PAGES_IN[look]!.map((name) => ({ look, name, options })),
    ),
  )('has no violation that axe-core finds, and fits: $name, $look', async ({ look, name, options }) => {
    const { page } = await show(PAGES[name]!, { ...options, bypassCSP: true });
    await page.locator('h1').first().waitFor();
    const widths = await page.evaluate<number[]>('[document.documentElement.scrollWidth, window.innerWidth]');
    // Only colours differ in the dark.
    const violations = await violationsOf(page, look === 'dark' ? ['color-contrast'] : undefined);
    const folder = process.env.SIGNALBOX_LOOK_AT_PAGES;
    if (folder) await page.screenshot({ path: join(folder, `${name}-${look}.png`), fullPage: true });
    expect({ violations, isTooWide: widths[0]! > widths[1]! }).toEqual({ violations: [], isTooWide: false });
    await page.context().close();
  });

  it('has no violation where people sign in', async () => {
    for (const [look, options] of Object.entries(LOOKS)) {
      const { page } = await open(guarded.address, { ...options, bypassCSP: true });
      expect({ look, violations: await violationsOf(page) }).toEqual({ look, violations: [] });
      await page.context().close();
    }
  });

  test.each(['list', 'job', 'logs', 'waiting', 'submit', 'hostile'])(
    'asks nothing of other servers, and its policy blocks nothing of its own: %s',
    async (name) => {
      const { page, requests, messages } = await show(PAGES[name]!);
      await page
        .locator('.now[data-is=live]')
        .waitFor({ timeout: 15_000 })
        .catch(() => undefined);
      expect(requests.filter((url) => !url.startsWith(console_.address))).toEqual([]);
      expect(messages).toEqual([]);
      await page.context().close();
    },
  );

  it('is used by keyboard: rows, the filter, help, and a job', async () => {
    const { page } = await show('/');
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    expect(await page.locator('tr.is-chosen a').textContent()).toBe('llama-8b-sft');
    await page.keyboard.press('k');
    await page.keyboard.press('?');
    expect(await page.locator('#keys').isVisible()).toBe(true);
    await page.keyboard.press('Escape');
    await page.keyboard.press('/');
    expect(await page.evaluate('document.activeElement.name')).toBe('namespace');
    await page.keyboard.press('Escape');
    await page.locator('tr.is-chosen a').focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(`**${TRAIN}`);
    await page.context().close();
  });

  it('a page of a job follows it, and keeps what a person has opened', async () => {
    const { page } = await show(TRAIN);
    await page.locator('#manifest').scrollIntoViewIfNeeded();
    await page.locator('section[aria-labelledby=manifest] summary').first().click();
    const last = TRAINING.entries.at(-1)!;
    console_.servers.goOn({ ...last, seq: last.seq + 1, message: 'A new checkpoint was seen.' });
    await eventually('the page has the entry', async () =>
      (await page.locator('#entries').textContent())?.includes('A new checkpoint was seen.'),
    );
    expect(await page.locator('#said').textContent()).toBe('A new checkpoint was seen.');
    expect(
      await page.locator('section[aria-labelledby=manifest] details').first().getAttribute('open'),
    ).not.toBeNull();
    await page.context().close();
  });

  it('can be read, filtered and acted in without a script', async () => {
    const { page } = await show('/', { ...WIDE, javaScriptEnabled: false });
    await page.getByText('More filters').click();
    await page.locator('select[name=kind]').selectOption('PyTorchJob');
    await page.getByRole('button', { name: 'Filter' }).click();
    expect(page.url()).toContain('kind=PyTorchJob');
    await page.goto(console_.address + TRAIN);
    await page.getByRole('link', { name: 'Suspend', exact: true }).click();
    await page.locator('input[name=why]').fill('the nodes are needed');
    await page.getByRole('button', { name: 'Suspend' }).click();
    await page.waitForURL(`**${TRAIN}?asked=suspend`);
    expect(console_.servers.heard.at(-1)).toMatchObject({
      what: 'suspend',
      request: { why: 'the nodes are needed' },
    });
    await page.context().close();
  });

  it('a printed job has neither the navigation nor what can be asked', async () => {
    const { page } = await show(TRAIN);
    await page.emulateMedia({ media: 'print' });
    for (const selector of ['.bar', '.actions'])
      expect({ selector, isVisible: await page.locator(selector).isVisible() }).toEqual({
        selector,
        isVisible: false,
      });
    await page.context().close();
  });
});

/** What a job that runs says of itself. */
const RUNS: Partial<WhyAnswer> = {
  explanation: { phase: 'Running', sentence: 'The job runs.' },
  ...{ reasons: [], steps: afternoon()[0]!.signs!.steps! },
  waited: [
    { ...{ reason: 'WaitingForGang', seconds: 1_258, times: 1, message: '' }, from: SAMPLE.submitted.at },
  ],
};

describeWithBrowser('the pictures of docs/console.md', () => {
  test.each([
    ['console-list-light', '/', { viewport: { width: 1_280, height: 800 } }],
    ['console-list-dark', '/', { viewport: { width: 1_280, height: 800 }, colorScheme: 'dark' }],
    ['console-list-phone', '/', { viewport: { width: 390, height: 1_000 }, deviceScaleFactor: 1.25 }],
    ['console-job-light', TRAIN, { viewport: { width: 1_180, height: 1_130 } }],
    ['console-job-dark', TRAIN, { viewport: { width: 1_180, height: 1_130 }, colorScheme: 'dark' }],
    ['console-job-phone', TRAIN, { viewport: { width: 390, height: 1_000 }, deviceScaleFactor: 1.25 }],
  ] as const)('%s', async (name, path, options) => {
    console_.servers.why = RUNS;
    const { page } = await show(path, options);
    await page.locator('.now[data-is=live]').waitFor();
    const bytes = await page.screenshot({ path: join(PICTURES, `${name}.png`) });
    expect(bytes.length).toBeLessThan(MOST_PICTURE_BYTES);
    await page.context().close();
  });
});
