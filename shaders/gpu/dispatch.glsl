// Numbers of workgroups and invocations in dispatches that lie along two axes, as one axis may have too few workgroups.
// Host side: src/gpu/workgroups.h.
#ifndef AUREOLE_DISPATCH_GLSL
#define AUREOLE_DISPATCH_GLSL

/// The number of this workgroup, along x first.
uint workgroupIndex() {
    return gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
}

/// The number of this invocation, where workgroups lie along x. The last workgroups may go beyond what there is to do.
uint invocationIndex() {
    return workgroupIndex() * gl_WorkGroupSize.x + gl_LocalInvocationIndex;
}

#endif
