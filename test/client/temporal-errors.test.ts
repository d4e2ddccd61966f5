import { describe, expect, it } from '@jest/globals';
import { NamespaceNotFoundError, ServiceError, WorkflowNotFoundError } from '@temporalio/client';
import { GRPC, isTransientTemporalError } from '../../client/servers/temporal-errors.ts';

const answer = (code: number, details: string) =>
  new ServiceError('failed', { cause: Object.assign(new Error(details), { code, details, metadata: {} }) });

describe('an error that may pass when the call is repeated', () => {
  it.each([
    ['a server that is away', answer(GRPC.unavailable, 'connection refused'), true],
    [
      'a server that has just started, and does not know its namespaces yet',
      answer(GRPC.notFound, 'Namespace default is not found.'),
      true,
    ],
    ['an unknown namespace, as an error of the SDK', new NamespaceNotFoundError('default'), true],
    ['a workflow that is not there', answer(GRPC.notFound, 'workflow not found for ID: a'), false],
    [
      'a missing workflow, as an error of the SDK',
      new WorkflowNotFoundError('not found', 'a', undefined),
      false,
    ],
    ['a refusal', answer(GRPC.failedPrecondition, 'no'), false],
  ])('%s', (_, error, expected) => {
    expect(isTransientTemporalError(error)).toBe(expected);
  });
});
