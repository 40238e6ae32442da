import { ERROR_STATUS, type ErrorCode } from '../../domain/errors.js';
import { ERROR_CODES } from '../openapi/error-codes.js';
import { Prose } from './schema-view.js';

/** All error codes, each with its status and what it means. */
export function ErrorCodes() {
  return (
    <div class="scroll">
      <table>
        {(Object.keys(ERROR_STATUS) as ErrorCode[]).map((code) => (
          <tr key={code}>
            <th>
              <code>{code}</code>
            </th>
            <td>{ERROR_STATUS[code]}</td>
            <td>
              <Prose text={ERROR_CODES[code]} />
            </td>
          </tr>
        ))}
      </table>
    </div>
  );
}
