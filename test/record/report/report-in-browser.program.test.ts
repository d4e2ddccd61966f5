import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, test } from '@jest/globals';
import axe from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { plotCharts } from '../../../record/report/charts/plot-charts.ts';
import { reportOf } from '../../../record/report/report.ts';
import type { ReportData } from '../../../record/report/report-data.ts';
import { findBrowser } from '../../browser.ts';
import { HOSTILE_JOB } from './hostile-job.ts';
import { SAMPLE } from './sample-job.ts';

/**
 * What people see of a report, and the pictures of docs/history.md#a-report-to-send. SIGNALBOX_UPDATE_PICTURES=1 replaces those in
 * docs/pictures.
 */

const ROOT = join(import.meta.dirname, '..', '..', '..');
const BROWSER = findBrowser();
const describeWithBrowser = BROWSER ? describe : describe.skip;
// The report does not name the tests that are skipped.
if (!BROWSER) process.stderr.write('Reports are not looked at: no chromium or google-chrome on the PATH.\n');

const WIDE = { viewport: { width: 1_180, height: 900 } } as const;
const PHONE = { viewport: { width: 360, height: 780 }, deviceScaleFactor: 2, hasTouch: true } as const;

let browser: Browser;
let folder: string;

beforeAll(async () => {
  if (!BROWSER) return;
  folder = await mkdtemp(join(tmpdir(), 'signalbox-report-'));
  browser = await chromium.launch({
    executablePath: BROWSER,
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
  });
});

afterAll(async () => {
  await browser?.close();
  if (folder) await rm(folder, { recursive: true });
});

interface Opened {
  readonly page: Page;
  /** What the page asked for, beside itself. */
  readonly requests: readonly string[];
  readonly messages: readonly string[];
}

async function open(data: ReportData, options: BrowserContextOptions = WIDE): Promise<Opened> {
  const file = join(folder, `${Math.random()}.html`);
  await writeFile(file, reportOf(data, plotCharts()));
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const requests: string[] = [];
  const messages: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  page.on('console', (message) => messages.push(message.text()));
  page.on('dialog', (dialog) => {
    messages.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  const url = pathToFileURL(file).href;
  await page.goto(url);
  return { page, requests: requests.filter((one) => one !== url), messages };
}

const colourOf = (page: Page, selector: string) =>
  page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}')).backgroundColor`);

describeWithBrowser('a report in a browser', () => {
  test.each([
    ['the sample', SAMPLE],
    ['a hostile job', HOSTILE_JOB],
  ])('a report loads nothing, and its policy blocks nothing of its own: %s', async (_name, data) => {
    const { page, requests, messages } = await open(data);
    await page.locator('input[type=search]').fill('refused');
    expect({ requests, messages }).toEqual({ requests: [], messages: [] });
    await page.context().close();
  });

  test.each([
    ['the sample', SAMPLE],
    ['a hostile job', HOSTILE_JOB],
  ])('a report needs no horizontal scrolling on a phone: %s', async (_name, data) => {
    const { page } = await open(data, PHONE);
    for (const details of await page.locator('details').all())
      await details.evaluate((element) => element.setAttribute('open', ''));
    const widths = await page.evaluate<number[]>('[document.documentElement.scrollWidth, window.innerWidth]');
    expect(widths[0]).toBe(widths[1]);
    expect(await page.locator('.narrow svg').first().isVisible()).toBe(true);
    expect(await page.locator('.wide svg').first().isVisible()).toBe(false);
    await page.context().close();
  });

  it('a report is dark if the browser prefers that, and light on paper', async () => {
    const { page } = await open(SAMPLE, { ...WIDE, colorScheme: 'dark' });
    expect(await colourOf(page, 'body')).toBe('rgb(18, 22, 28)');
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    expect(await colourOf(page, 'body')).toBe('rgb(255, 255, 255)');
    expect(await colourOf(page, 'pre')).toBe('rgb(255, 255, 255)');
    await page.context().close();
  });

  it('a printed report has the sections that are folded on a screen', async () => {
    const { page } = await open(SAMPLE);
    const manifest = page.getByText('apiVersion: kubeflow.org/v1');
    expect(await manifest.isVisible()).toBe(false);
    await page.emulateMedia({ media: 'print' });
    expect(await manifest.isVisible()).toBe(true);
    expect(await page.locator('nav').isVisible()).toBe(false);
    const pdf = await page.pdf({ format: 'A4' });
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
    const pages = pdf.toString('latin1').match(/\/Type\s*\/Page\b/g) ?? [];
    expect(pages.length).toBeGreaterThanOrEqual(4);
    expect(pages.length).toBeLessThanOrEqual(14);
    await page.context().close();
  });

  it('a report can be used by keyboard: content, tables, logs and folds', async () => {
    const { page } = await open(SAMPLE);
    const focused = () => page.evaluate<string>('document.activeElement.outerHTML.slice(0, 120)');
    await page.keyboard.press('Tab');
    expect(await focused()).toContain('class="skip"');
    await page.keyboard.press('Enter');
    expect(await focused()).toContain('<main id="content"');
    const reached: string[] = [];
    for (let step = 0; step < 60; step += 1) {
      await page.keyboard.press('Tab');
      reached.push(await focused());
    }
    for (const what of [
      '<summary>',
      'aria-label="Log of resnet-worker-5',
      'aria-label="Ledger"',
      'type="search"',
    ])
      expect(reached.some((html) => html.includes(what))).toBe(true);
    await page.context().close();
  });

  it('a report filters the ledger, and says how many rows are left', async () => {
    const { page } = await open(SAMPLE);
    await page.getByLabel('Show rows with').fill('worker-5 exit');
    expect(await page.locator('output').textContent()).toBe(`1 of ${SAMPLE.entries.length} rows`);
    expect(await page.locator('#entries tbody tr:visible').count()).toBe(1);
    await page.context().close();
  });

  test.each([
    ['light', WIDE],
    ['dark', { ...WIDE, colorScheme: 'dark' }],
    ['a phone', PHONE],
  ] as const)('a report has no violation that axe-core finds: %s', async (_name, options) => {
    const { page } = await open(SAMPLE, { ...options, bypassCSP: true });
    await page.addScriptTag({ content: axe.source });
    const { violations } = await page.evaluate<AxeResult>('axe.run()');
    const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join('; ')}`);
    expect(found).toEqual([]);
    await page.context().close();
  });

  it('a report has landmarks, headings and charts for screen readers', async () => {
    const { page } = await open(SAMPLE);
    const tree = await page.locator('body').ariaSnapshot();
    for (const expected of [
      '- banner:',
      '- navigation "Contents":',
      '- main:',
      '- contentinfo:',
      '- heading "Timeline" [level=2]',
      'img "Gantt chart over 5h12m: the phases of the job in 3 attempts, and 9 pods by role, of which 2 failed.',
      '- table "Ledger, times in UTC"',
    ])
      expect({ expected, isFound: tree.includes(expected) }).toEqual({ expected, isFound: true });
    await page.context().close();
  });
});

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly html: string }[];
  }[];
}

/** The repository has them. */
const MOST_PICTURE_BYTES = 150_000;

describeWithBrowser('the pictures of docs/history.md#a-report-to-send', () => {
  test.each([
    ['report-light', { viewport: { width: 1_180, height: 985 } }],
    ['report-dark', { viewport: { width: 1_180, height: 985 }, colorScheme: 'dark' }],
    ['report-phone', { viewport: { width: 390, height: 1_300 }, deviceScaleFactor: 1.25 }],
  ] as const)('%s', async (name, options) => {
    const { page } = await open(SAMPLE, options);
    const path = process.env.SIGNALBOX_UPDATE_PICTURES
      ? join(ROOT, 'docs', 'pictures', `${name}.png`)
      : join(folder, `${name}.png`);
    const bytes = await page.screenshot({ path });
    expect(bytes.length).toBeLessThan(MOST_PICTURE_BYTES);
    await page.context().close();
  });
});
