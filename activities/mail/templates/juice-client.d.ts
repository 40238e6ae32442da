/** Juice without the code that fetches style sheets and pictures. */
declare module 'juice/client' {
  import juice from 'juice';
  export default juice;
}
