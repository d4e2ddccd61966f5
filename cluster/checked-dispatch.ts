import type { Dispatcher } from 'undici';

/**
 * A dispatcher that makes a check as a request is about to be sent, which may be long after it was asked for: it waits
 * for a connection first. A check that throws ends the request unsent, with that error.
 */
export const checking = (dispatcher: Dispatcher, check: () => void): Dispatcher =>
  dispatcher.compose((dispatch) => (options, handler) => dispatch(options, checked(handler, check)));

function checked(handler: Dispatcher.DispatchHandler, check: () => void): Dispatcher.DispatchHandler {
  return {
    onRequestStart: (controller, context) => {
      handler.onRequestStart?.(controller, context);
      try {
        check();
      } catch (error) {
        controller.abort(error as Error);
      }
    },
    onResponseStart: (...told) => handler.onResponseStart?.(...told),
    onResponseData: (...told) => handler.onResponseData?.(...told),
    onResponseEnd: (...told) => handler.onResponseEnd?.(...told),
    onResponseError: (...told) => handler.onResponseError?.(...told),
  };
}
