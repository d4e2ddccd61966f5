import { access, constants } from 'node:fs/promises';
import type { StoreSettings } from '../../contracts/settings.ts';
import { errorCode } from '../../language/error-code.ts';
import { errorMessage } from '../../language/error-message.ts';
import type { Account } from './account.ts';
import { type Finding, findingsOf } from './finding.ts';

interface OpenedStore {
  readonly location: string;
  /** Throws if workers cannot use it; may write to find out. */
  examine(): Promise<void>;
  /** Throws if commands cannot read it. */
  read(): Promise<void>;
  close(): void;
}

/** What workers write and commands read. `settings`: how their names begin; `page`: where they are described. */
interface ExaminedStore {
  readonly area: 'archive' | 'evidence';
  readonly settings: string;
  readonly page: string;
  readonly account: Account;
  readonly open: () => OpenedStore;
}

/** Looks whether commands can read what workers store; for the account of a worker, whether it can write, too. */
export const storeFinding = (store: StoreSettings, examined: ExaminedStore): Promise<Finding> =>
  store.store === 'files' ? directoryFinding(store.directory, examined) : bucketFinding(examined);

/** Creates nothing, unlike the store itself. */
async function directoryFinding(directory: string, examined: ExaminedStore): Promise<Finding> {
  const { area, settings, page } = examined;
  const { ok, warning } = findingsOf(area);
  try {
    await access(directory, constants.R_OK | constants.X_OK);
  } catch (error) {
    const isMissing = errorCode(error) === 'ENOENT';
    const why = isMissing ? 'does not exist: no worker of this machine has used it' : errorMessage(error);
    return warning(
      'store',
      `${directory} ${why}`,
      `If workers run elsewhere, mount their directory here (${settings}_DIR) or let all use a bucket (${page}).`,
    );
  }
  const unwritable = await errorOf(() => access(directory, constants.W_OK | constants.X_OK));
  if (!unwritable) return ok('store', directory);
  return readOnlyFinding(directory, unwritable, examined);
}

async function bucketFinding(examined: ExaminedStore): Promise<Finding> {
  const { area, settings, account } = examined;
  const { ok, warning, fault } = findingsOf(area);
  // Jobs of this worker would leave no record.
  const unusable = account === 'worker' ? fault : warning;
  const store = examined.open();
  try {
    const unreadable = await errorOf(() => store.read());
    if (unreadable) {
      return unusable(
        'store',
        `${store.location}: ${unreadable}`,
        `Check ${settings}_BUCKET, _REGION, _ENDPOINT (record.s3 of the chart) and the credentials.`,
      );
    }
    // A look at how it is must not write with the credentials of a user who only reads.
    if (account !== 'worker') return ok('store', `${store.location}, can be read`);
    const unwritable = await errorOf(() => store.examine());
    return unwritable ? readOnlyFinding(store.location, unwritable, examined) : ok('store', store.location);
  } finally {
    store.close();
  }
}

/** Only workers write. */
function readOnlyFinding(location: string, why: string, { area, page, account }: ExaminedStore): Finding {
  const { ok, fault } = findingsOf(area);
  if (account !== 'worker')
    return ok('store', `${location}, can be read and not written, as readers need it`);
  return fault(
    'store',
    `${location} can be read and not written: ${why}`,
    `Workers must write there (${page}).`,
  );
}

const errorOf = (work: () => Promise<void>): Promise<string | undefined> =>
  work().then(() => undefined, errorMessage);
