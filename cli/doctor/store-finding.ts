import { access, constants } from 'node:fs/promises';
import { errorMessage } from '../../contracts/error-message.ts';
import type { StoreSettings } from '../../contracts/settings.ts';
import { type Finding, findingsOf } from './finding.ts';

/** What workers write and commands read. `settings`: how their names begin; `page`: where they are described. */
interface ExaminedStore {
  readonly area: 'archive' | 'evidence';
  readonly settings: string;
  readonly page: string;
  readonly open: () => { readonly place: string; examine(): Promise<void>; close(): void };
}

/** Looks whether commands can read what workers store. */
export const storeFinding = (store: StoreSettings, examined: ExaminedStore): Promise<Finding> =>
  store.store === 'files' ? directoryFinding(store.directory, examined) : bucketFinding(examined);

/** Creates nothing, unlike the store itself. */
async function directoryFinding(
  directory: string,
  { area, settings, page }: ExaminedStore,
): Promise<Finding> {
  const { ok, warning } = findingsOf(area);
  try {
    await access(directory, constants.R_OK | constants.X_OK);
    return ok('store', directory);
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    const why = isMissing ? 'does not exist: no worker of this machine has used it' : errorMessage(error);
    return warning(
      'store',
      `${directory} ${why}`,
      `If workers run elsewhere, mount their directory here (${settings}_DIR) or let all use a bucket (${page}).`,
    );
  }
}

async function bucketFinding({ area, settings, open }: ExaminedStore): Promise<Finding> {
  const { ok, warning } = findingsOf(area);
  const store = open();
  try {
    await store.examine();
    return ok('store', store.place);
  } catch (error) {
    return warning(
      'store',
      `${store.place}: ${errorMessage(error)}`,
      `Check ${settings}_BUCKET, _REGION, _ENDPOINT and the credentials.`,
    );
  } finally {
    store.close();
  }
}
