import { errorMessage } from '../../language/error-message.ts';
import { ArchiveError } from './archive-errors.ts';
import type { ArchiveStore } from './archive-store.ts';

/** A store whose errors say which store it is, and what to look at. For commands, whose users see nothing else. */
export class NamedStore implements ArchiveStore {
  readonly location: string;
  readonly #store: ArchiveStore;

  constructor(store: ArchiveStore) {
    this.#store = store;
    this.location = store.location;
  }

  examine = (): Promise<void> => this.#named(() => this.#store.examine());
  create = (key: string, bytes: Uint8Array): Promise<boolean> =>
    this.#named(() => this.#store.create(key, bytes));
  replace = (key: string, bytes: Uint8Array): Promise<void> =>
    this.#named(() => this.#store.replace(key, bytes));
  read = (key: string): Promise<Uint8Array | undefined> => this.#named(() => this.#store.read(key));
  remove = (key: string): Promise<void> => this.#named(() => this.#store.remove(key));
  refOf = (key: string): string => this.#store.refOf(key);
  close = (): void => this.#store.close();

  async *list(prefix: string): AsyncGenerator<string> {
    try {
      yield* this.#store.list(prefix);
    } catch (error) {
      throw this.#away(error);
    }
  }

  async #named<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw this.#away(error);
    }
  }

  #away = (cause: unknown): unknown =>
    cause instanceof ArchiveError ? cause : new ArchiveAwayError(this.location, cause);
}

/** The store does not answer, or may not be used. */
class ArchiveAwayError extends ArchiveError {
  override readonly name = 'ArchiveAwayError';
  override readonly code = 'ArchiveAway';

  constructor(place: string, cause: unknown) {
    super(`The archive in ${place} cannot be used: ${errorMessage(cause)}.`, {
      cause,
      remedy: place.startsWith('s3:')
        ? 'Check SIGNALBOX_ARCHIVE_BUCKET, _PREFIX, _REGION and _ENDPOINT, the credentials, and whether the server is there.'
        : 'Check whether the directory is mounted, and may be read.',
    });
  }
}
