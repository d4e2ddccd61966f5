import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** Fails if two files of the product export the same name: a name that is searched for leads to one place. */

const EXPORT = /^export (?:async )?(?:abstract )?(?:function\*?|const|class|interface|type) ([\w$]+)/gm;
/** Tests are built from fixtures of one file each. */
const SKIPPED = /^(packages\/[^/]+\/)?test\//;

const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.ts'], { encoding: 'utf8' })
  .split('\n')
  .filter((file) => file && !SKIPPED.test(file) && existsSync(file));
const filesByName = new Map<string, string[]>();
for (const file of files) {
  for (const [, name] of readFileSync(file, 'utf8').matchAll(EXPORT)) {
    filesByName.set(name!, [...(filesByName.get(name!) ?? []), file]);
  }
}
const twice = [...filesByName].filter(([, places]) => new Set(places).size > 1);
for (const [name, places] of twice) console.log(`${name}: exported by ${places.join(' and ')}`);
process.exitCode = twice.length > 0 ? 1 : 0;
