import { ERROR_STATUS, type ErrorCode } from '../../domain/errors.js';
import { ERROR_CODES } from '../../api/openapi/error-codes.js';
import { MarkedText } from './schema-view.js';

/** The anchor of an error code. Prefixed, because a code can have the same name as an operation. */
export const anchorOfCode = (code: string): string => `error-${code}`;

/** All error codes, each with its status, what it means and what to do. */
export function ErrorCodes() {
  return (
    <dl class="fields">
      {(Object.keys(ERROR_STATUS) as ErrorCode[]).map((code) => (
        <div key={code} id={anchorOfCode(code)} data-find={code}>
          <dt>
            <code>{code}</code> <span class="soft">{ERROR_STATUS[code]}</span>
          </dt>
          <dd>
            <MarkedText text={ERROR_CODES[code].meaning} />
          </dd>
          <dd class="soft">
            <MarkedText text={ERROR_CODES[code].remedy} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
