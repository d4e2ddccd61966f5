import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ensurePrograms } from '@signalbox/sandbox';
import { ROOT } from '../package/entries.ts';
import { IMAGE_PATH, registryOf } from '../release/repository.ts';
import { writeArchiveOf } from './archive.ts';

const run = promisify(execFile);

/** What the chart in the checkout names is on nobody's registry. */
const OWN_IMAGE = /^ {2}repository: signalbox$/m;

/** Packages the chart into the folder `out`: as Helm does it, but the same each time, and with the published image. */
export async function packageChart(out: string, scratch: string): Promise<void> {
  const { helm } = await ensurePrograms({ names: ['helm'] });
  mkdirSync(out, { recursive: true });
  mkdirSync(scratch, { recursive: true });
  await run(helm, ['package', join(ROOT, 'charts/signalbox'), '--destination', scratch]);
  const [file] = readdirSync(scratch) as [string];
  await run('tar', ['--extract', `--file=${join(scratch, file)}`, `--directory=${scratch}`]);
  const values = join(scratch, 'signalbox/values.yaml');
  const text = readFileSync(values, 'utf8');
  if (!OWN_IMAGE.test(text))
    throw new Error(`${values}: expected a line "  repository: signalbox", got none`);
  writeFileSync(values, text.replace(OWN_IMAGE, `  repository: ${registryOf(ROOT)}/${IMAGE_PATH}`));
  await run('chmod', ['--recursive', 'u=rwX,go=rX', join(scratch, 'signalbox')]);
  await writeArchiveOf(scratch, 'signalbox', join(out, file));
}
