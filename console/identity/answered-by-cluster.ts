import { errorMessage } from '../../language/error-message.ts';
import { DeniedError } from '../http/denied-error.ts';
import { consoleMetrics, measured } from '../metrics.ts';

/**
 * Asks the cluster who somebody is (`token`), or what he may do (`access`). Without an answer nobody is known, and nobody
 * may do anything.
 */
export async function answeredByCluster<T>(kind: 'token' | 'access', ask: () => Promise<T>): Promise<T> {
  try {
    const answer = await measured({ server: 'cluster', what: kind }, ask);
    consoleMetrics.reviews.inc({ kind, answer: answer ? 'yes' : 'no' });
    return answer;
  } catch (error) {
    consoleMetrics.reviews.inc({ kind, answer: 'failed' });
    const message = `The cluster does not say who you are or what you may do: ${errorMessage(error)}.`;
    const remedy = 'Nobody may do anything until it does. Try again.';
    throw new DeniedError('RightsUnknown', message, { remedy, cause: error });
  }
}
