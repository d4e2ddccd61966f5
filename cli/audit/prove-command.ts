import { Argument, Command } from 'commander';
import { archiveOptions } from '../input/job-options.ts';
import { dataText } from '../print/output.ts';
import { settingsOf } from '../session/session.ts';
import { withStoreToRead } from '../session/store-to-read.ts';
import { completedBy } from '../shell/completed-by.ts';
import { UsageError } from '../shell/errors.ts';
import { withExamples } from '../shell/help-text.ts';
import { jobFolders } from './job-folders.ts';

const HELP = `Prints a proof (C2SP tlog-proof) that the archive of a job is in the signed log. With it, the public
key and a copy of the job's archive, any user can verify the job: \`signalbox audit verify --proof FILE\`.`;

/** `signalbox audit prove NAME`: evidence of one job for readers without access to the archive. */
export const proveCommand = (): Command =>
  withExamples(archiveOptions(new Command('prove')), ['audit prove train > train.tlog-proof'], HELP)
    .description('print a proof that a job is in the archive, for those who cannot read it')
    .addArgument(completedBy('jobs', new Argument('<name>', 'NAME, NAMESPACE/NAME or a workflow id')))
    .action(async (name: string, _flags: object, command: Command) => {
      const settings = await settingsOf(command);
      await withStoreToRead(settings.archive, async (store) => {
        const folder = (await jobFolders(store, { given: name, command, settings })).at(-1)!;
        const { proveLeaf } = await import('../../record/verify/prove-leaf.ts');
        const proof = await proveLeaf(store, folder);
        if (proof === undefined) {
          throw new UsageError(`${folder} is not in the log yet`, {
            remedy: 'The archiver adds it; `signalbox archive status` says how far it is.',
          });
        }
        process.stdout.write(dataText(proof, 'text'));
      });
    });
