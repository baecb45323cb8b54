/**
 * The client of the Agent Tools seed (`eventSource.addEventListener('tool.approval_request', …)` with its two `fetch` calls,
 * and `'tool.execution_signal'` with its other two), in our own words and with the same requests: the bodies of the seed, the
 * path by template, a content type only where it has one. What the seed leaves to the page are `projectId`,
 * `showApprovalDialog` and `executeToolLocally`.
 *
 * It is not right in everything, and runs all the same: it never acknowledges, so what it is sent counts as begun; it does
 * not look at the answer to its result; and where a result of a tool that ran can't be sent, it sends that the tool failed.
 */
export const SEED_CLIENT = `
const eventSource = new EventSource('/my/projects/' + projectId + '/chat/stream');
eventSource.addEventListener('tool.approval_request', (event) => {
  const data = JSON.parse(event.data);
  const { approval_id, tool_name, risk_level, timeout_seconds } = data;
  const approved = showApprovalDialog(tool_name, risk_level, timeout_seconds);
  if (approved) {
    fetch('/my/projects/' + projectId + '/approvals/' + approval_id + '/approve', {
      method: 'POST',
      body: JSON.stringify({ decision: 'approved' }),
    });
  } else {
    fetch('/my/projects/' + projectId + '/approvals/' + approval_id + '/reject', {
      method: 'POST',
      body: JSON.stringify({ reason: 'User declined' }),
    });
  }
});
eventSource.addEventListener('tool.execution_signal', async (event) => {
  const data = JSON.parse(event.data);
  const { tool_id, tool_name, tool_params } = data;
  try {
    const result = await executeToolLocally(tool_name, tool_params);
    await fetch('/my/projects/' + projectId + '/tools/' + tool_id + '/result', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ status: 'completed', result: result }),
    });
  } catch (error) {
    await fetch('/my/projects/' + projectId + '/tools/' + tool_id + '/result', {
      method: 'POST',
      body: JSON.stringify({ status: 'failed', error: error.message }),
    });
  }
});
`;
