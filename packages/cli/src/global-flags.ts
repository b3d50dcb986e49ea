// The flags of all commands, and those of the commands for operations.

export interface GlobalFlags {
  profile?: string;
  url?: string;
  json?: boolean;
  timeout?: string;
}

export interface OperationFlags extends GlobalFlags {
  csv?: boolean;
  all?: boolean;
  output?: string;
  columns?: string;
  data?: string;
  contentType?: string;
}
