// npm run docs: writes the pages of docs/ that are generated from code. A test finds outdated pages.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PAGES } from './pages.ts';

const folder = join(import.meta.dirname, '..', '..', 'docs');
mkdirSync(folder, { recursive: true });
for (const [file, page] of Object.entries(PAGES)) {
  writeFileSync(join(folder, file), page());
  console.log(`docs/${file}`);
}
