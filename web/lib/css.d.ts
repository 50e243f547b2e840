/** The build passes a stylesheet imported by a script as text. */
declare module '*.css' {
  const text: string;
  export default text;
}
