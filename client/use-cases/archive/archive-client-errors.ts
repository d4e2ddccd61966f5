import {
  ArchiveError,
  DamagedArchiveError,
  UnknownArchiveError,
} from '../../../record/archive/archive-errors.ts';
import { LogDamagedError, LogKeyError } from '../../../record/log/errors.ts';
import { KeptCheckpointError } from '../../../record/verify/kept-checkpoint.ts';
import {
  ArchiveAwayError,
  ArchiveDamagedError,
  ArchiveVersionError,
  MissingRequirementError,
  RefusedError,
} from '../../errors/errors.ts';
import { isPackageMissing } from '../../errors/missing-package.ts';

/** Converts errors of an archive to errors of this library. */
export function toArchiveClientError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { message, cause } = error;
  if (error instanceof DamagedArchiveError || error instanceof LogDamagedError) {
    return new ArchiveDamagedError(message, { cause: error, remedy: error.remedy });
  }
  if (error instanceof UnknownArchiveError) {
    return new ArchiveVersionError(message, { cause: error, remedy: error.remedy });
  }
  if (error instanceof LogKeyError || error instanceof KeptCheckpointError)
    return new RefusedError(message, { cause: error, remedy: error.remedy });
  if (!(error instanceof ArchiveError)) return error;
  if (isPackageMissing(cause, S3)) {
    const remedy = `Install it: npm install ${S3}`;
    return new MissingRequirementError(`An archive in a bucket needs the package ${S3}.`, {
      cause: error,
      remedy,
    });
  }
  return new ArchiveAwayError(message, { cause: error, remedy: REMEDY });
}

const S3 = '@aws-sdk/client-s3';
const REMEDY =
  'Check whether the directory is mounted and may be read; of a bucket, its name, prefix, region, endpoint and credentials.';

/** Does a part of a call in the errors of this library. */
export async function translatedErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toArchiveClientError(error);
  }
}
