import { Command } from 'commander';
import { UsageError } from './shell/errors.ts';

/** Commands of kubectl, temporal and docker that people type here, and what to type instead. */
const INSTEAD: Readonly<Record<string, string>> = {
  cancel: 'stop NAME',
  create: 'submit FILE',
  delete: 'stop NAME',
  describe: 'get NAME',
  edit: 'amend NAME',
  events: 'history NAME',
  explain: 'get NAME',
  kill: 'stop NAME',
  log: 'logs NAME',
  ls: 'list',
  pause: 'suspend NAME',
  ps: 'list',
  restart: 'submit FILE --rerun',
  run: 'submit FILE',
  show: 'get NAME',
  start: 'submit FILE',
  status: 'get NAME',
  terminate: 'stop NAME',
  unpause: 'resume NAME',
  watch: 'get NAME --watch',
};

/** Hidden commands that name the right command, because suggestions by spelling would name a wrong one. */
export const otherToolsWords = (): Command[] =>
  Object.entries(INSTEAD).map(([word, instead]) =>
    new Command(word)
      .argument('[arguments...]')
      .allowUnknownOption()
      .helpOption(false)
      .action(() => {
        throw new UsageError(`unknown command '${word}'`, { remedy: `Did you mean signalbox ${instead}?` });
      }),
  );
