import { Command } from 'commander';
import { countText } from '../../language/count-text.ts';
import { archiveOptions } from '../input/job-options.ts';
import { note, write } from '../print/output.ts';
import { settingsOf } from '../session/session.ts';
import { withStoreToRead } from '../session/store-to-read.ts';
import { withExamples } from '../shell/help-text.ts';

/** `signalbox audit index`: what the archiver does by itself, for an index that is missing or was changed. */
export const auditIndexCommand = (): Command =>
  withExamples(archiveOptions(new Command('index')), ['audit index', 'audit index --again'])
    .description('update the index; the archiver does this by itself')
    .option('--again', 'rebuild every part from the archives')
    .action(async ({ again }: { readonly again?: boolean }, command: Command) => {
      await withStoreToRead((await settingsOf(command)).archive, async (store) => {
        const { updateIndex } = await import('../../record/index/archive-index.ts');
        const { size, created, removed } = await updateIndex(store, { again });
        for (const key of created) note(`wrote ${store.refOf(key)}`);
        for (const key of removed) note(`removed ${store.refOf(key)}`);
        write(`The index covers ${countText(size, 'archive')}.`);
      });
    });
