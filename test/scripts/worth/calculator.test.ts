import { runInNewContext } from 'node:vm';
import { beforeAll, describe, expect, it, test } from '@jest/globals';
import { parseHTML } from 'linkedom';
import {
  costAnswerOf,
  INPUTS,
  type InputName,
  inPercent,
  readValues,
  roughTime,
  type Values,
} from '../../../scripts/worth/calculator/answers.ts';
import { calculatorPage } from '../../../scripts/worth/calculator/page.ts';
import { timesWithHang } from './known-times.ts';

const SYSTEMS = [timesWithHang(610), timesWithHang(70, undefined, 'b')];
const texts = (more: Partial<Record<InputName, string>> = {}) => ({
  ...(Object.fromEntries(Object.entries(INPUTS).map(([name, { value }]) => [name, String(value)])) as Record<
    InputName,
    string
  >),
  ...more,
});

describe('the answer', () => {
  it('has the best system first, and what the rest of the time costs in a month of 730 hours', () => {
    const { rows } = costAnswerOf(SYSTEMS, readValues(texts({ gpus: '16384', price: '3' })) as Values);
    expect(rows.map(({ name }) => name)).toEqual(['b, best', 'a, best']);
    const [{ ettr, lostGpuHours, lostMoney } = { ettr: 0, lostGpuHours: 0, lostMoney: 0 }] = rows;
    expect(lostGpuHours).toBeCloseTo((1 - ettr) * 16_384 * 730, 6);
    expect(lostMoney).toBeCloseTo(3 * lostGpuHours, 6);
  });

  it('says how often faults come, and which interval would be best', () => {
    const { summary } = costAnswerOf(SYSTEMS, readValues(texts({ gpus: '16384' })) as Values);
    expect(summary).toEqual([
      'A fault comes each 3.1 h on average.',
      "Checkpoints each 7.9 min would be best (by Young's formula).",
    ]);
  });

  test.each([
    [{ gpus: '' }, 'GPUs of the job: expected a number of at least 8, got nothing'],
    [{ gpus: '4' }, 'GPUs of the job: expected a number of at least 8, got 4'],
    [{ price: 'two' }, 'price of a GPU: expected a number of at least 0, got two'],
    [{ days: 'Infinity' }, 'they were counted over: expected a number of at least 0.01, got Infinity'],
    [
      { crash: '0', hang: '0', 'node-silent': '0', drain: '0' },
      'faults: expected at least one of some kind, got none',
    ],
  ])('of %j is what is wrong', (more, message) => {
    expect(readValues(texts(more))).toBe(message);
  });

  test.each([
    [59.4, '59 s'],
    [119, '120 s'],
    [1_800, '30 min'],
    [3_600, '1 h'],
    [11_290, '3.1 h'],
    [400_000, '4.6 days'],
  ])('writes %d seconds as %s', (seconds, text) => {
    expect(roughTime(seconds)).toBe(text);
  });
});

describe('the page', () => {
  let html: string;
  beforeAll(async () => {
    html = await calculatorPage(SYSTEMS);
  });

  /** As a browser runs its script, after which somebody may write into a field. */
  function open(written: Partial<Record<InputName, string>> = {}) {
    const { document, Event } = parseHTML(html);
    runInNewContext([...document.querySelectorAll('script')].at(-1)!.textContent!, { document });
    for (const [name, value] of Object.entries(written)) {
      const field = document.getElementById(name)!;
      field.setAttribute('value', value);
      field.dispatchEvent(new Event('input'));
    }
    const cells = [...document.querySelectorAll('#rows tr')].map((row) =>
      [...row.children].map(({ textContent }) => textContent!.trim()),
    );
    return { summary: document.getElementById('summary')!.textContent, cells };
  }

  it('shows what the same functions say', () => {
    const { rows } = costAnswerOf(SYSTEMS, readValues(texts()) as Values);
    expect(open().cells.map(([name, ettr]) => [name, ettr])).toEqual(
      rows.map(({ name, ettr }) => [name, inPercent(ettr)]),
    );
  });

  it('computes anew when somebody writes into a field, and says what is wrong with it', () => {
    const { rows } = costAnswerOf(SYSTEMS, readValues(texts({ gpus: '16384' })) as Values);
    expect(open({ gpus: '16384' }).cells[0]![1]).toBe(inPercent(rows[0]!.ettr));
    expect(open({ gpus: 'many' })).toEqual({
      summary: 'GPUs of the job: expected a number of at least 8, got many',
      cells: [],
    });
  });

  it('names nothing outside of itself', () => {
    expect(html).not.toMatch(/(src|href)=|https?:|@import|url\(/);
    expect(html).toContain("default-src 'none'");
  });
});
