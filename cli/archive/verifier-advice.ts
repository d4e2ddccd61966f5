import type { ArchiveSettings } from '../../contracts/settings.ts';
import { errorMessage } from '../../language/error-message.ts';

/**
 * What `archive status` says until a user can verify the archive without those who write it. Only what is known here:
 * whether the verifier key is kept elsewhere, too, no program can know.
 */
export async function verifierAdvice({ store, publicKey }: ArchiveSettings): Promise<string | undefined> {
  if (!store) return undefined;
  if (!publicKey) return NO_KEY;
  return adviceOnKey(publicKey).catch(errorMessage);
}

async function adviceOnKey(publicKey: string): Promise<string | undefined> {
  const [{ parseVerifierKeys }, { rememberedCheckpoints }] = await Promise.all([
    import('../../record/log/verifier-key.ts'),
    import('../audit/remembered-checkpoints.ts'),
  ]);
  const remembered = await rememberedCheckpoints(parseVerifierKeys(publicKey));
  return remembered.length > 0 ? undefined : NEVER;
}

const NO_KEY =
  'SIGNALBOX_ARCHIVE_PUBLIC_KEY is not set here: keep what `signalbox audit key` prints outside of the archive, and set it';
const NEVER = 'this user has never verified the archive: signalbox audit verify';
