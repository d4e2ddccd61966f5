// node --import report-loaded.mjs PROGRAM: writes the addresses of all modules that it loads to the file LOADED_MODULES.
import { writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

const loaded = new Set();
registerHooks({
  load(url, context, next) {
    loaded.add(url);
    return next(url, context);
  },
});
process.on('exit', () => writeFileSync(process.env.LOADED_MODULES, JSON.stringify([...loaded])));
