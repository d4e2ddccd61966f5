import { join } from 'node:path';
import { build } from 'esbuild';
import { describeTimes } from '../describe-times.ts';
import { FAULT_KINDS, type FaultKindName } from '../failure-mixes.ts';
import type { SystemTimes } from '../recovery-times.ts';
import { INPUTS, type InputName } from './answers.ts';

/** One file, which needs no server and loads nothing: the form, the times that were measured, and the script. */
export async function calculatorPage(times: readonly SystemTimes[]): Promise<string> {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<title>What faults cost a training job</title>
<!-- Generated from scripts/worth by \`npm run docs\`; edit that. -->
<style>
${STYLE}
</style>
</head>
<body>
<main>
<h1>What faults cost a training job</h1>
<p>Your job and your faults, with the recovery times that signalbox's drill measured. ETTR is the part of the time in
which a running job makes new steps; waiting in a queue does not count. The range has 95&nbsp;% of what the counts of faults
and the trials allow. Most of it comes from how many faults there are, which is the same for all; so the next column
says how far each is behind the first with the same faults. Where it begins below 0, neither is shown to be better. All of
it is computed on this page, and nothing leaves it.</p>
<form>
<fieldset><legend>The job</legend>
${fields(['gpus', 'price', 'interval', 'save', 'start', 'person'])}
</fieldset>
<fieldset><legend>Its faults, as you have counted them (here those of Llama&nbsp;3)</legend>
${fields(['crash', 'hang', 'node-silent', 'drain', 'days', 'counted'])}
</fieldset>
</form>
<p id="summary" role="status"></p>
<table id="result">
<thead><tr><th>engine, settings</th><th>ETTR</th><th>range</th><th>points behind the first</th><th class="more">GPU hours lost a month</th><th>money lost a month</th></tr></thead>
<tbody id="rows"></tbody>
</table>
<h2>With these recovery times</h2>
<table>
<thead><tr><th>engine, settings</th>${KINDS.map((kind) => `<th>${kind}</th>`).join('')}</tr></thead>
<tbody>
${times.map(timesRow).join('\n')}
</tbody>
</table>
<p>What is in italics was not measured: it is calculated from the source of the engine. How, and the trials of the
others, are in worth.md beside this file, in the documentation of signalbox.</p>
</main>
<script type="application/json" id="times">${JSON.stringify(times).replaceAll('<', '\\u003c')}</script>
<script>
${await script()}</script>
</body>
</html>
`;
}

const KINDS = Object.keys(FAULT_KINDS) as FaultKindName[];

function timesRow({ system, settings, kinds }: SystemTimes): string {
  const cells = KINDS.map((kind) => {
    const { text, calculated } = describeTimes(kinds[kind]);
    return `<td>${calculated ? `<i>${text}</i>` : text}</td>`;
  });
  return `<tr><th>${system}, ${settings}</th>${cells.join('')}</tr>`;
}

const fields = (names: readonly InputName[]) => names.map(field).join('\n');

function field(name: InputName): string {
  const { label, unit, value, least } = INPUTS[name];
  const input = `<input id="${name}" type="number" step="any" min="${least}" value="${value}" required>`;
  return `<label><span>${label}</span> <span>${input} <span class="unit">${unit}</span></span></label>`;
}

async function script(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, 'calculator.ts')],
    ...{
      bundle: true,
      write: false,
      format: 'iife',
      target: 'es2022',
      charset: 'ascii',
      legalComments: 'none',
    },
  });
  return outputFiles[0]!.text;
}

const STYLE = `:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0; }
main { max-width: 60rem; margin: 0 auto; padding: 1rem; }
fieldset { border: 1px solid color-mix(in srgb, CanvasText 30%, Canvas); margin: 0 0 1rem; }
label { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1rem; padding: .15rem 0; }
input { font: inherit; width: 8rem; text-align: right; }
td { white-space: nowrap; }
.unit { display: inline-block; width: 5rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: right; padding: .3rem .5rem; border-bottom: 1px solid color-mix(in srgb, CanvasText 20%, Canvas); }
th:first-child { text-align: left; }
tbody th { font-weight: normal; }
meter { width: 6rem; }
@media (max-width: 40rem) {
meter { display: none; }
.unit { width: auto; }
th.more, #rows td:nth-child(5) { display: none; }
th, td { padding: .3rem .15rem; font-size: .8rem; white-space: normal; }
}`;
