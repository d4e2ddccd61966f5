import { errorMessage } from '../../language/error-message.ts';
import { ProblemError } from '../http/problem-error.ts';

/** Without an answer of the cluster nobody is known, and nobody may do anything. */
export async function answeredByCluster<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    const message = `The cluster does not say who you are or what you may do: ${errorMessage(error)}.`;
    throw new ProblemError(503, message, 'Nobody may do anything until it does. Try again.', error);
  }
}
