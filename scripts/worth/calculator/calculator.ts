/** The script of the page. Everything is computed in the browser; `npm run docs` bundles it with the formula. */
import type { SystemTimes } from '../recovery-times.ts';
import {
  type CostAnswer,
  costAnswerOf,
  INPUTS,
  type InputName,
  inPercent,
  pointsBehind,
  readValues,
} from './answers.ts';

/** What is used of the DOM. */
interface PageElement {
  readonly value: string;
  textContent: string | null;
  hidden: boolean;
  addEventListener(type: string, listener: () => void): void;
  append(...children: PageElement[]): void;
  replaceChildren(...children: PageElement[]): void;
  setAttribute(name: string, value: string): void;
}
declare const document: {
  getElementById(id: string): PageElement;
  createElement(tag: string): PageElement;
};

const byId = (id: string) => document.getElementById(id);
const systems = JSON.parse(byId('times').textContent!) as readonly SystemTimes[];
const names = Object.keys(INPUTS) as InputName[];

function show(): void {
  const values = readValues(
    Object.fromEntries(names.map((name) => [name, byId(name).value])) as Record<InputName, string>,
  );
  if (typeof values === 'string') tell([values], []);
  else {
    const { summary, rows } = costAnswerOf(systems, values);
    tell(summary, rows);
  }
}

function tell(summary: readonly string[], rows: CostAnswer['rows']): void {
  byId('summary').textContent = summary.join(' ');
  byId('result').hidden = rows.length === 0;
  byId('rows').replaceChildren(...rows.map(rowOf));
}

function rowOf(answer: CostAnswer['rows'][number]): PageElement {
  const { name, ettr, low, high, lostGpuHours, lostMoney } = answer;
  const bar = element('meter', '');
  bar.setAttribute('value', String(ettr));
  bar.setAttribute('aria-label', `${name}: ${inPercent(ettr)}`);
  const ratio = element('td', `${inPercent(ettr)} `);
  ratio.append(bar);
  const row = element('tr', '');
  row.append(
    element('th', name),
    ratio,
    element('td', `${inPercent(low)} to ${inPercent(high)}`),
    element('td', pointsBehind(answer)),
    element('td', whole(lostGpuHours)),
    element('td', whole(lostMoney)),
  );
  return row;
}

function element(tag: string, text: string): PageElement {
  const made = document.createElement(tag);
  made.textContent = text;
  return made;
}

const whole = (number: number) => Math.round(number).toLocaleString('en');

for (const name of names) byId(name).addEventListener('input', show);
show();
