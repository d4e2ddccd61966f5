import type { Dispatcher } from 'undici';
import { asError } from '../language/error-message.ts';

/**
 * Returns a dispatcher that runs a check just before it sends a request, which may have waited long for a connection.
 * If the check throws, the request fails unsent with that error.
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
        controller.abort(asError(error));
      }
    },
    onResponseStart: (...args) => handler.onResponseStart?.(...args),
    onResponseData: (...args) => handler.onResponseData?.(...args),
    onResponseEnd: (...args) => handler.onResponseEnd?.(...args),
    onResponseError: (...args) => handler.onResponseError?.(...args),
  };
}
