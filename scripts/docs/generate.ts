// npm run docs: writes what is generated from code: pages of docs/, JSON Schemas, dashboards. A test finds outdated files.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { GENERATED_FILES } from './generated-files.ts';

for (const [path, content] of Object.entries(GENERATED_FILES)) {
  const file = join(import.meta.dirname, '..', '..', path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, await content());
  console.log(path);
}
