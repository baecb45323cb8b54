/** In whose name commits are made where a repository says nothing of it. */
export interface GitIdentity {
  readonly name: string;
  readonly email: string;
}
