import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import axe from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { calculatorPage } from '../../../scripts/worth/calculator/page.ts';
import { findBrowser } from '../../browser.ts';
import { timesWithHang } from './known-times.ts';

const BROWSER = findBrowser();
const describeWithBrowser = BROWSER ? describe : describe.skip;
if (!BROWSER)
  process.stderr.write('The calculator is not looked at: no chromium or google-chrome on the PATH.\n');

let browser: Browser;
let folder: string;
let url: string;

beforeAll(async () => {
  if (!BROWSER) return;
  folder = await mkdtemp(join(tmpdir(), 'signalbox-calculator-'));
  const file = join(folder, 'calculator.html');
  await writeFile(file, await calculatorPage([timesWithHang(610), timesWithHang(70, undefined, 'b')]));
  url = pathToFileURL(file).href;
  browser = await chromium.launch({
    executablePath: BROWSER,
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
  });
});

afterAll(async () => {
  await browser?.close();
  if (folder) await rm(folder, { recursive: true });
});

async function open(options: BrowserContextOptions = {}) {
  const page = await (await browser.newContext(options)).newPage();
  const noticed: string[] = [];
  page.on('request', (request) => noticed.push(request.url()));
  page.on('console', (message) => noticed.push(message.text()));
  page.on('pageerror', (error) => noticed.push(error.message));
  await page.goto(url);
  return { page, noticed };
}

const firstRow = (page: Page) => page.locator('#rows tr').first().textContent();

describeWithBrowser('the calculator in a browser', () => {
  it('loads nothing, and answers as soon as somebody writes', async () => {
    const { page, noticed } = await open();
    const before = await firstRow(page);
    expect(before).toMatch(/^b, best9\d\.\d %/);
    await page.locator('#gpus').fill('16384');
    expect(await page.locator('#summary').textContent()).toContain('A fault comes each 3.1 h');
    expect(await firstRow(page)).not.toBe(before);
    expect(noticed).toEqual([url]);
    await page.context().close();
  });

  it.each(['light', 'dark'] as const)('can be read by all in %s', async (colorScheme) => {
    const { page } = await open({ colorScheme });
    await page.evaluate(axe.source);
    const found = await page.evaluate<string[]>(
      'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes[0].html))',
    );
    expect(found).toEqual([]);
    await page.context().close();
  });

  it('needs no horizontal scrolling on a phone', async () => {
    const { page } = await open({ viewport: { width: 360, height: 780 } });
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
    await page.context().close();
  });
});
